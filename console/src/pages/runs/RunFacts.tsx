import Box from "@cloudscape-design/components/box";
import Container from "@cloudscape-design/components/container";
import KeyValuePairs, {
  type KeyValuePairsProps,
} from "@cloudscape-design/components/key-value-pairs";
import Header from "@cloudscape-design/components/header";

import { CopiedId, Instant, RouteLink, type Schemas } from "../../kit";
import { ByEvent } from "./told/ByEvent";
import { ownerOf } from "./told/owner";
import { OwnerLink } from "./told/OwnerLink";
import { TraceId } from "./told/TraceId";
import { useOwnerName } from "./told/useOwnerName";
import { writeDuration } from "../timeAxis";

type Run = Schemas["Run"];
type Attempt = Schemas["Attempt"];

interface Props {
  run: Run;
  attempt: Attempt;
  /** The attempt's own facts, without a frame. */
  plain?: boolean;
}

const OWNERS = { job: "Job", dag_run: "DAG run of its task", rule: "Notification rule" } as const;

/** Shows what is on record of a run and one of its attempts. */
export function RunFacts({ run, attempt, plain }: Props) {
  const pairs = factsOf(attempt);
  if (plain === true) {
    return <KeyValuePairs columns={4} items={pairs} />;
  }
  return <WholeRun run={run} pairs={pairs} />;
}

function WholeRun({ run, pairs }: { run: Run; pairs: KeyValuePairsProps.Pair[] }) {
  const owner = ownerOf(run.run_id, run.message);
  const name = useOwnerName(owner);
  const own: KeyValuePairsProps.Pair[] = [
    { label: "Run", value: <CopiedId id={run.run_id} what="run id" /> },
    { label: OWNERS[owner.kind], value: <OwnerLink owner={owner} name={name} /> },
    { label: "Triggered by", value: <Origin run={run} /> },
    { label: "Priority", value: run.priority },
  ];
  const rest: KeyValuePairsProps.Pair[] = [
    ...(run.dag_run_id === null
      ? []
      : [
          {
            label: "DAG run",
            value: <RouteLink to={`/dag-runs/${run.dag_run_id}`}>{run.dag_run_id}</RouteLink>,
          },
        ]),
    ...(run.operation_id === null
      ? []
      : [
          {
            label: "Operation",
            value: (
              <RouteLink to={`/operations/${run.operation_id}`}>{run.operation_id}</RouteLink>
            ),
          },
        ]),
    ...collapseOf(run),
    ...(run.concurrency_key === null
      ? []
      : [{ label: "Key of its slots", value: run.concurrency_key }]),
    ...(run.rescheduled_from === null
      ? []
      : [{ label: "Rescheduled from", value: <Instant at={run.rescheduled_from} /> }]),
    ...(run.expires_at === null
      ? []
      : [{ label: "Expires", value: <Instant at={run.expires_at} /> }]),
    ...(run.finish_by === null
      ? []
      : [
          {
            label: "Deadline",
            value: (
              <>
                <Instant at={run.finish_by.at} /> ({run.finish_by.outlook.replaceAll("_", " ")})
              </>
            ),
          },
        ]),
    {
      label: "Trace id",
      value: <TraceId id={run.trace_id} />,
    },
    ...Object.entries(run.tags).map(([name, value]) => ({ label: `Tag ${name}`, value })),
  ];
  return (
    <Container header={<Header variant="h2">On record</Header>}>
      <KeyValuePairs columns={4} items={[...own, ...pairs, ...rest]} />
    </Container>
  );
}

/** Tells how many triggers the run stands for, or which run stands for it. */
function collapseOf({ collapse }: Run): KeyValuePairsProps.Pair[] {
  if (collapse === null) return [];
  const many = `${collapse.triggers.toLocaleString("en")} since `;
  return [
    ...(collapse.into === null
      ? []
      : [{ label: "Collapsed into", value: <RouteLink to={`/runs/${collapse.into}`}>{collapse.into}</RouteLink> }]),
    {
      label: "Triggers of its window",
      value: (
        <>
          {many}
          <Instant at={collapse.since} />
          {collapse.key === null ? "" : `, with the key ${collapse.key}`}
        </>
      ),
    },
  ];
}

function Origin({ run }: { run: Run }) {
  const by = run.triggered_by;
  if (run.matched_event !== null) return <ByEvent event={run.matched_event} />;
  if (by === null) {
    return <>{run.origin.replaceAll("_", " ")}</>;
  }
  return (
    <>
      <RouteLink to={`/runs/${by.run_id}`}>the end of attempt {by.attempt}</RouteLink> (
      {by.state.replaceAll("_", " ")}, depth {by.depth})
    </>
  );
}

function factsOf(attempt: Attempt): KeyValuePairsProps.Pair[] {
  return [
    { label: "Due", value: <Instant at={attempt.due_at} /> },
    {
      label: "Lateness",
      value: attempt.lateness_ms === null ? "–" : writeDuration(attempt.lateness_ms),
    },
    {
      label: "Duration",
      value: attempt.duration_ms === null ? "–" : writeDuration(attempt.duration_ms),
    },
    { label: "Worker", value: attempt.worker ?? "–" },
    {
      label: "Fence",
      value: (
        <>
          {attempt.fence}
          {attempt.duplicates_prevented > 0 && (
            <Box variant="small"> {attempt.duplicates_prevented} duplicates prevented</Box>
          )}
        </>
      ),
    },
    ...(attempt.releases > 0 ? [{ label: "Releases", value: String(attempt.releases) }] : []),
    ...(attempt.handed_over_at === null
      ? []
      : [{ label: "Handed over", value: <Instant at={attempt.handed_over_at} /> }]),
    ...(attempt.checkpoint === null
      ? []
      : [
          {
            label: "Checkpoint",
            value: (
              <>
                {attempt.checkpoint.sequence}, {attempt.checkpoint.size_bytes} bytes,{" "}
                <Instant at={attempt.checkpoint.at} />
              </>
            ),
          },
        ]),
    ...(attempt.slices === null
      ? []
      : [{ label: "Slices ended", value: String(attempt.slices.ended) }]),
    ...(attempt.replaced_by === null
      ? []
      : [
          {
            label: "Replaced by",
            value: (
              <RouteLink to={`/runs/${attempt.replaced_by}`}>{attempt.replaced_by}</RouteLink>
            ),
          },
        ]),
  ];
}
