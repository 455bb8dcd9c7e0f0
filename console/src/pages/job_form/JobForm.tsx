import Alert from "@cloudscape-design/components/alert";
import Button from "@cloudscape-design/components/button";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { type ReactNode, useState } from "react";

import { type ApiProblem, ProblemAlert, useMay } from "../../kit";
import { JsonText } from "../shared/json/JsonText";
import { type Draft, withValue } from "../form/draft";
import { Meanwhile } from "../form/edits/Meanwhile";
import { FormContext } from "../form/formContext";
import { GroupFields } from "../form/GroupFields";
import { GROUPS } from "./groups";
import { manifestOf } from "../form/manifest";
import { refusalsOf } from "../form/refusals/refusals";
import { Refused } from "../form/refusals/Refused";
import { SchedulePreview } from "./SchedulePreview";
import { NEW_JOB } from "./newJob";
import { useJudged } from "./useJudged";
import { useSettled } from "../form/edits/useSettled";
import { useUnread } from "../form/refusals/useUnread";
import "../shared/tokens.css";
import "../form/form.css";

interface Props {
  draft: Draft;
  onChange: (draft: Draft) => void;
  verb: string;
  isRunning: boolean;
  problem: ApiProblem | null;
  onConfirm: () => void;
  onBack: () => void;
  /** The key that the edited job has. */
  ownKey?: unknown;
  /** Fields that other callers changed while the form was open. */
  meanwhile?: readonly string[];
  children?: ReactNode;
}

const SETTLES_MS = 500;

/** Edits a job beside what the API makes of it: instants, refusals, advice, and the same as YAML. */
export function JobForm({ draft, onChange, verb, isRunning, problem, onConfirm, onBack, ownKey = null, meanwhile = [], children }: Props) {
  const settled = useSettled(draft, SETTLES_MS);
  const judged = useJudged(settled, ownKey);
  const [wasTried, setTried] = useState(false);
  const may = useMay("write");
  const { unread, markUnread } = useUnread();
  const judgements = judged?.errors ?? [];
  const errors = [...unread, ...judgements];
  // A draft that is not judged yet is judged by the API when it is stored.
  const isRefused = unread.length > 0 || (judged?.of === draft && judgements.length > 0);
  const form = {
    draft,
    change: (path: readonly (string | number)[], value: unknown) => {
      onChange(withValue(draft, path, value) as Draft);
    },
    markUnread,
    refusals: refusalsOf([...judgements, ...(problem?.problem.errors ?? [])], settled, wasTried),
  };
  return (
    <FormContext value={form}>
      <div className="tg-form">
        <SpaceBetween size="l">
          <Meanwhile names={meanwhile} />
          {GROUPS.map((group) => (
            <GroupFields key={group.title} contract={NEW_JOB} group={group} draft={draft} />
          ))}
          {wasTried && errors.length > 0 && <Refused errors={errors} />}
          {problem !== null && <ProblemAlert problem={problem} isOfAction />}
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={onBack}>Back</Button>
            <Button
              variant="primary"
              loading={isRunning}
              disabled={!may.allowed}
              disabledReason={may.why ?? ""}
              onClick={() => {
                setTried(true);
                if (!isRefused) onConfirm();
              }}
            >
              {verb}
            </Button>
          </SpaceBetween>
        </SpaceBetween>
        <div className="tg-form-help">
          <SpaceBetween size="l">
            <Container header={<Header variant="h2">When it fires</Header>}>
              <SchedulePreview draft={settled} />
            </Container>
            {judged?.advice.map(({ field, detail }, index) => (
              <Alert key={index} type="info" header={field}>
                {detail}
              </Alert>
            ))}
            <Container header={<Header variant="h2">The same for timegate apply</Header>}>
              <JsonText value={manifestOf("Job", draft)} label="the YAML" />
            </Container>
            {children}
          </SpaceBetween>
        </div>
      </div>
    </FormContext>
  );
}
