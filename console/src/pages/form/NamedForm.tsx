import Button from "@cloudscape-design/components/button";
import Container from "@cloudscape-design/components/container";
import FormField from "@cloudscape-design/components/form-field";
import Header from "@cloudscape-design/components/header";
import Input from "@cloudscape-design/components/input";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { type Dispatch, type ReactNode, type SetStateAction, useState } from "react";

import { type ApiProblem, ProblemAlert, SameByCommand, useMay } from "../../kit";
import { JsonText } from "../shared/JsonText";
import { request } from "../shared/quoting";
import type { Node } from "./contract";
import { type Draft, withValue } from "./draft";
import { FormContext } from "./formContext";
import { GroupFields } from "./GroupFields";
import type { Group } from "./groups";
import { manifestOf } from "./manifest";
import { refusalsOf } from "./refusals";
import "../shared/tokens.css";
import "./form.css";

interface Props {
  /** The kind of its document for `timegate apply`. */
  kind: string;
  contract: Node;
  groups: readonly Group[];
  edited: NamedDraft;
  verb: string;
  isRunning: boolean;
  problem: ApiProblem | null;
  onConfirm: () => void;
  onBack: () => void;
  /** Path of the collection in the API. */
  path: string;
  /** Words of the command that puts it. */
  cli: string;
  help: ReactNode;
}

/** A thing in the making: its name, and everything else. */
export interface NamedDraft {
  /** It exists under its name, which stays. */
  isKnown: boolean;
  name: string;
  setName: (name: string) => void;
  draft: Draft;
  setDraft: Dispatch<SetStateAction<Draft>>;
}

/** Begins with a known thing, or with a first draft that has no name yet. */
export function useNamedDraft(known: string | null, first: Draft): NamedDraft {
  const [name, setName] = useState(known ?? "");
  const [draft, setDraft] = useState(first);
  return { isKnown: known !== null, name, setName, draft, setDraft };
}

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Edits a thing that its tenant names, beside the same as YAML and as a request. */
export function NamedForm(props: Props) {
  const { kind, contract, groups, problem, help } = props;
  const { isKnown, name, setName, draft, setDraft } = props.edited;
  const [wasTried, setTried] = useState(false);
  const may = useMay("write");
  const isBadName = !NAME.test(name);
  const form = {
    draft,
    change: (path: readonly (string | number)[], value: unknown) => {
      setDraft((was) => withValue(was, path, value) as Draft);
    },
    refusals: refusalsOf(problem?.problem.errors ?? [], draft, true),
  };
  return (
    <FormContext value={form}>
      <div className="tg-form">
        <SpaceBetween size="l">
          {!isKnown && (
            <Container header={<Header variant="h2">Name</Header>}>
              <FormField
                label="Name"
                description="It stays; a rename is a new one."
                constraintText="Small letters, digits and hyphens, up to 64."
                errorText={isBadName && (wasTried || name !== "") ? "Small letters, digits and hyphens." : null}
              >
                <Input
                  value={name}
                  onChange={({ detail }) => {
                    setName(detail.value.trim());
                  }}
                />
              </FormField>
            </Container>
          )}
          {groups.map((group) => (
            <GroupFields key={group.title} contract={contract} group={group} draft={draft} />
          ))}
          {problem !== null && <ProblemAlert problem={problem} />}
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={props.onBack}>Back</Button>
            <Button
              variant="primary"
              loading={props.isRunning}
              disabled={!may.allowed}
              disabledReason={may.why ?? ""}
              onClick={() => {
                setTried(true);
                if (!isBadName) props.onConfirm();
              }}
            >
              {props.verb}
            </Button>
          </SpaceBetween>
        </SpaceBetween>
        <div className="tg-form-help">
          <SpaceBetween size="l">
            {help}
            <Container header={<Header variant="h2">The same for timegate apply</Header>}>
              <JsonText value={manifestOf(kind, { name, ...draft })} label="the YAML" />
            </Container>
          </SpaceBetween>
        </div>
      </div>
      <SameByCommand
        cli={`timegate ${props.cli} ${name === "" ? "NAME" : name} --file it.json`}
        api={`${request("PUT", `${props.path}/${name}`)}\n\n${JSON.stringify(draft, null, 2)}`}
      />
    </FormContext>
  );
}
