import Container from "@cloudscape-design/components/container";
import FormField from "@cloudscape-design/components/form-field";
import Header from "@cloudscape-design/components/header";
import Input from "@cloudscape-design/components/input";
import { type ReactNode, useState } from "react";

import type { ApiProblem } from "../../kit";
import { command, request, shellWord, withDocument } from "../shared/quoting";
import type { Node } from "./contract";
import { ContractForm } from "./ContractForm";
import type { Draft } from "./draft";
import { useDraft } from "./edits/useDraft";
import { type Edited, useEdited } from "./edits/useEdited";
import type { Group } from "./groups";
import { manifestOf } from "./manifest";

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
  /** Reads a known thing again, once another caller has changed it. */
  onAgain?: () => void;
}

/** A thing in the making: its name, and everything else. */
export interface NamedDraft {
  /** It exists under its name, which stays. */
  isKnown: boolean;
  name: string;
  setName: (name: string) => void;
  draft: Draft;
  setDraft: Edited["setDraft"];
  /** Fields that other callers changed while the form was open. */
  meanwhile: readonly string[];
}

/** Begins with a known thing of a version, or with a first draft that has neither name nor version yet. */
export function useNamedDraft(known: string | null, version: number | null, first: Draft): NamedDraft {
  const [name, setName] = useDraft("name", known ?? "");
  const { draft, setDraft, meanwhile } = useEdited(first, version ?? 0);
  return { isKnown: known !== null, name, setName, draft, setDraft, meanwhile };
}

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Edits a thing that its tenant names, and that is put as a whole. */
export function NamedForm(props: Props) {
  const { isKnown, name, setName, draft, setDraft } = props.edited;
  const [wasTried, setTried] = useState(false);
  const isBad = !NAME.test(name);
  return (
    <ContractForm
      contract={props.contract}
      groups={props.groups}
      draft={draft}
      onChange={setDraft}
      verb={props.verb}
      isRunning={props.isRunning}
      problem={props.problem}
      onConfirm={() => {
        setTried(true);
        if (!isBad) props.onConfirm();
      }}
      onBack={props.onBack}
      manifest={manifestOf(props.kind, { name, ...draft })}
      cli={withDocument(command(`${props.cli} ${name === "" ? "NAME" : shellWord(name)}`, [["--file", "-"]]), draft)}
      api={`${request("PUT", `${props.path}/${encodeURIComponent(name)}`)}\n\n${JSON.stringify(draft, null, 2)}`}
      lead={isKnown ? null : <Name name={name} isRefused={isBad && (wasTried || name !== "")} onChange={setName} />}
      help={props.help}
      meanwhile={props.edited.meanwhile}
      {...(props.onAgain === undefined ? {} : { onAgain: props.onAgain })}
    />
  );
}

function Name({ name, isRefused, onChange }: { name: string; isRefused: boolean; onChange: (name: string) => void }) {
  return (
    <Container header={<Header variant="h2">Name</Header>}>
      <FormField
        label="Name"
        description="It stays; a rename is a new one."
        constraintText="Small letters, digits and hyphens, up to 64."
        errorText={isRefused ? "Small letters, digits and hyphens." : null}
      >
        <Input
          value={name}
          onChange={({ detail }) => {
            onChange(detail.value.trim());
          }}
        />
      </FormField>
    </Container>
  );
}
