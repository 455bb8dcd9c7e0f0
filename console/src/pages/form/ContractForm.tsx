import Button from "@cloudscape-design/components/button";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { type ReactNode, type SetStateAction, useState } from "react";

import { type ApiProblem, ProblemAlert, SameByCommand, useMay } from "../../kit";
import { JsonText } from "../shared/json/JsonText";
import type { Node } from "./contract";
import { Meanwhile, ReadAgain } from "./edits/Meanwhile";
import { type Draft, withValue } from "./draft";
import { FormContext } from "./formContext";
import { GroupFields } from "./GroupFields";
import type { Group } from "./groups";
import { refusalsOf } from "./refusals/refusals";
import { Refused } from "./refusals/Refused";
import { useUnread } from "./refusals/useUnread";
import "../shared/tokens.css";
import "./form.css";

interface Props {
  contract: Node;
  groups: readonly Group[];
  draft: Draft;
  onChange: (action: SetStateAction<Draft>) => void;
  verb: string;
  isRunning: boolean;
  problem: ApiProblem | null;
  onConfirm: () => void;
  onBack: () => void;
  /** The same as a document for `timegate apply`. */
  manifest: string;
  cli: string;
  api: string;
  /** Shown above the fields. */
  lead?: ReactNode;
  /** Fields that other callers changed meanwhile, and how the thing is read again. */
  meanwhile?: readonly string[];
  onAgain?: () => void;
  help: ReactNode;
}

/** Edits what a contract describes, beside the same as YAML, as a command and as a request. */
export function ContractForm(props: Props) {
  const { contract, groups, draft, onChange, problem } = props;
  const may = useMay("write");
  const [wasTried, setTried] = useState(false);
  const { unread, markUnread } = useUnread();
  const form = {
    draft,
    change: (path: readonly (string | number)[], value: unknown) => {
      onChange((was) => withValue(was, path, value) as Draft);
    },
    markUnread,
    refusals: refusalsOf(problem?.problem.errors ?? [], draft, true),
  };
  return (
    <FormContext value={form}>
      <div className="tg-form">
        <SpaceBetween size="l">
          <Meanwhile names={props.meanwhile ?? []} />
          {props.lead}
          {groups.map((group) => (
            <GroupFields key={group.title} contract={contract} group={group} draft={draft} />
          ))}
          {wasTried && unread.length > 0 && <Refused errors={unread} />}
          {problem !== null && <ProblemAlert problem={problem} isOfAction />}
          {props.onAgain !== undefined && <ReadAgain problem={problem} onAgain={props.onAgain} />}
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={props.onBack}>Back</Button>
            <Button
              variant="primary"
              loading={props.isRunning}
              disabled={!may.allowed}
              disabledReason={may.why ?? ""}
              onClick={() => {
                setTried(true);
                if (unread.length === 0) props.onConfirm();
              }}
            >
              {props.verb}
            </Button>
          </SpaceBetween>
        </SpaceBetween>
        <div className="tg-form-help">
          <SpaceBetween size="l">
            {props.help}
            <Container header={<Header variant="h2">The same for timegate apply</Header>}>
              <JsonText value={props.manifest} label="the YAML" />
            </Container>
          </SpaceBetween>
        </div>
      </div>
      <SameByCommand cli={props.cli} api={props.api} />
    </FormContext>
  );
}
