import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { lazy, Suspense } from "react";

import { Instant, isolated, RouteLink, Said, type Schemas } from "../../kit";
import type { PictureEdge } from "../dags/picture";
import { likelyCause } from "../runs/causes";
import { JsonText } from "../shared/json/JsonText";
import { State } from "../shared/State";
import { knownWords } from "../shared/stateWords";
import { writeDuration } from "../timeAxis";
import { membersNote } from "./notes";
import { DecideTask } from "./approvals/DecideTask";
import { TaskActions } from "./TaskActions";

/** Loaded for a task that waits for an event, so that the page stays within its budget. */
const SignalTask = lazy(() => import("./SignalTask"));

type Task = Schemas["DagRunTask"];

interface Props {
  run: Schemas["DagRun"];
  task: Task;
  edges: readonly PictureEdge[];
  onClose: () => void;
  onDone: () => void;
}

/** Shows a task of a DAG run, and what an operator can do with it. */
export function TaskDrawer({ run, task, edges, onClose, onDone }: Props) {
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={task.key}
          actions={
            <Button variant="icon" iconName="close" ariaLabel="Close the task" onClick={onClose} />
          }
        >
          {task.name}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <State state={task.state} reason={task.reason} />
        <TaskActions run={run} task={task} edges={edges} onDone={onDone} />
        <Waits task={task} />
        {task.state === "running" && task.wait?.kind === "approval" && (
          <DecideTask dagRunId={run.dag_run_id} task={task} onDone={onDone} />
        )}
        {task.state === "running" && task.wait?.kind === "event" && (
          <Suspense fallback={null}>
            <SignalTask dagRunId={run.dag_run_id} task={task} onDone={onDone} />
          </Suspense>
        )}
        <Failure task={task} />
        <Facts task={task} />
        {task.result !== null && (
          <div>
            <Box variant="awsui-key-label">Result</Box>
            <JsonText label={`Result of ${task.key}`} value={task.result} />
          </div>
        )}
        {task.run_id !== null && (
          <RouteLink to={`/runs/${task.run_id}`}>
            Open its run: log, attempts, where the time went
          </RouteLink>
        )}
      </SpaceBetween>
    </Container>
  );
}

const WAITS = {
  sleep: "It sleeps",
  approval: "It waits for an approval",
  event: "It waits for an event",
};

/** Says what a task waits for that no worker does. */
function Waits({ task }: { task: Task }) {
  if (task.wait === null || task.state !== "running") {
    return null;
  }
  const { kind, until, approvers, event_type, correlation } = task.wait;
  return (
    <Alert type="info" header={knownWords(WAITS, kind)}>
      {event_type !== null && (
        <>
          Of the type {event_type} for {correlation ?? "a key that is not known yet"}.{" "}
        </>
      )}
      {approvers.length > 0 && <>Of {approvers.map(isolated).join(", ")}. </>}
      {until !== null && (
        <>
          {kind === "sleep" ? "Until" : "At the latest"} <Instant at={until} />.
        </>
      )}
    </Alert>
  );
}

function Failure({ task }: { task: Task }) {
  if (task.error === null) {
    return null;
  }
  const cause = likelyCause(task.error.code, task.reason);
  return (
    <Alert type="error" header={task.error.code}>
      <SpaceBetween size="xs">
        <Said>{task.error.message}</Said>
        {cause !== null && (
          <span>
            {cause.cause} {cause.advice}
          </span>
        )}
      </SpaceBetween>
    </Alert>
  );
}

function Facts({ task }: { task: Task }) {
  const { intervention, members } = task;
  return (
    <KeyValuePairs
      columns={2}
      items={[
        { label: "Round", value: task.round },
        { label: "Attempts", value: task.attempts },
        {
          label: "Started",
          value: task.started_at === null ? "–" : <Instant at={task.started_at} />,
        },
        {
          label: "Duration",
          value:
            task.started_at === null || task.ended_at === null
              ? "–"
              : writeDuration(Date.parse(task.ended_at) - Date.parse(task.started_at)),
        },
        ...(members === null
          ? []
          : [
              { label: "Members", value: membersNote(members) },
              {
                label: "Failed members",
                value:
                  members.failed_numbers.length === 0
                    ? "–"
                    : members.failed_numbers.slice(0, 20).join(", ") +
                      (members.failed_numbers.length > 20 ? " …" : ""),
              },
            ]),
        ...(intervention === null
          ? []
          : [
              {
                label: "Intervention",
                value: (
                  <>
                    {intervention.kind} by {intervention.by}, <Instant at={intervention.at} />
                    {intervention.reason === null ? "" : `: ${intervention.reason}`}
                  </>
                ),
              },
            ]),
      ]}
    />
  );
}
