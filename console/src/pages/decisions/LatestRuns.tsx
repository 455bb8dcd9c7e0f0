import Button from "@cloudscape-design/components/button";
import Table from "@cloudscape-design/components/table";

import { Instant, RouteLink, type Schemas, useKept, useMay } from "../../kit";
import { causeOf, dagRunOf } from "./decisionWords";
import { RedriveOne } from "./RedriveOne";
import { ResumeJob } from "./ResumeJob";

type Decision = Schemas["Decision"];
type Run = Schemas["DecisionRun"];

interface Props {
  group: Decision;
  onChange: () => void;
}

/** Lists the latest runs of a cause; each can be decided alone. */
export function LatestRuns({ group, onChange }: Props) {
  const [decided, setDecided] = useKept<Run | null>(`decide ${causeOf(group)}`, null);
  const close = (): void => {
    setDecided(null);
  };
  const done = (): void => {
    close();
    onChange();
  };
  return (
    <>
      <Table
        variant="embedded"
        trackBy="run_id"
        wrapLines
        items={group.latest}
        ariaLabels={{ tableLabel: `Latest of ${causeOf(group)}` }}
        columnDefinitions={[
          {
            id: "job",
            header: group.kind === "paused_job" ? "Job" : "Latest runs",
            isRowHeader: true,
            minWidth: 180,
            cell: (run) => <Name run={run} kind={group.kind} />,
          },
          {
            id: "ended",
            header: group.kind === "paused_job" ? "Paused" : "Ended",
            minWidth: 160,
            cell: (run) => <Instant at={run.ended_at} />,
          },
          {
            id: "act",
            header: "Decide",
            minWidth: 120,
            cell: (run) => <Decide run={run} kind={group.kind} onDecide={setDecided} />,
          },
        ]}
      />
      {decided !== null && group.kind === "paused_job" && (
        <ResumeJob
          jobId={decided.job_id}
          name={decided.job_name ?? decided.job_id}
          onDismiss={close}
          onDone={done}
        />
      )}
      {decided !== null && group.kind !== "paused_job" && (
        <RedriveOne runId={decided.run_id} onDismiss={close} onDone={done} />
      )}
    </>
  );
}

function Name({ run, kind }: { run: Run; kind: Decision["kind"] }) {
  const name = run.job_name ?? run.job_id;
  if (kind === "paused_job") {
    return (
      <>
        <RouteLink to={`/jobs/${run.job_id}`}>{name}</RouteLink>,{" "}
        <RouteLink to={`/runs/${run.run_id}`}>its deciding run</RouteLink>
      </>
    );
  }
  return <RouteLink to={`/runs/${run.run_id}`}>{name}</RouteLink>;
}

interface DecideProps {
  run: Run;
  kind: Decision["kind"];
  onDecide: (run: Run) => void;
}

function Decide({ run, kind, onDecide }: DecideProps) {
  const may = useMay("operate");
  if (kind === "dag_task") {
    return (
      <RouteLink to={`/dag-runs/${dagRunOf(run.run_id)}?view=tasks`}>Open the DAG run</RouteLink>
    );
  }
  const verb = kind === "paused_job" ? "Resume" : "Redrive";
  return (
    <Button
      variant="inline-link"
      ariaLabel={`${verb} ${run.job_name ?? run.job_id}`}
      disabled={!may.allowed}
      disabledReason={may.why ?? ""}
      onClick={() => {
        onDecide(run);
      }}
    >
      {verb}
    </Button>
  );
}
