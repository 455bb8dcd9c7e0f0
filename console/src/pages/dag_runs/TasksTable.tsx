import Table from "@cloudscape-design/components/table";
import Button from "@cloudscape-design/components/button";

import { Instant, RouteLink, type Schemas } from "../../kit";
import type { PictureEdge } from "../dags/picture";
import { State } from "../shared/State";
import { membersNote } from "./notes";
import { writeDuration } from "../timeAxis";

type Task = Schemas["DagRunTask"];

interface Props {
  tasks: readonly Task[];
  edges: readonly PictureEdge[];
  selected: string | null;
  onSelect: (key: string) => void;
}

/** Shows the graph as a table: each task, and what it waits for. */
export function TasksTable({ tasks, edges, selected, onSelect }: Props) {
  return (
    <Table
      variant="borderless"
      trackBy="key"
      wrapLines
      items={tasks}
      ariaLabels={{ tableLabel: "Tasks of the DAG run" }}
      selectedItems={tasks.filter(({ key }) => key === selected)}
      columnDefinitions={[
        {
          id: "task",
          header: "Task",
          isRowHeader: true,
          minWidth: 140,
          cell: (task) => (
            <Button
              variant="inline-link"
              onClick={() => {
                onSelect(task.key);
              }}
            >
              {task.name}
            </Button>
          ),
        },
        {
          id: "state",
          header: "State",
          minWidth: 150,
          cell: (task) => <State state={task.state} reason={task.reason} />,
        },
        {
          id: "waits",
          header: "Waits for",
          minWidth: 160,
          cell: (task) => waitsFor(task.key, edges),
        },
        {
          id: "took",
          header: "Duration",
          cell: (task) =>
            task.started_at === null || task.ended_at === null
              ? "–"
              : writeDuration(Date.parse(task.ended_at) - Date.parse(task.started_at)),
        },
        { id: "attempts", header: "Attempts", cell: (task) => task.attempts },
        {
          id: "members",
          header: "Members",
          cell: (task) => (task.members === null ? "–" : membersNote(task.members)),
        },
        {
          id: "started",
          header: "Started",
          minWidth: 140,
          cell: (task) => (task.started_at === null ? "–" : <Instant at={task.started_at} />),
        },
        {
          id: "run",
          header: "Run",
          cell: (task) =>
            task.run_id === null ? "–" : <RouteLink to={`/runs/${task.run_id}`}>open</RouteLink>,
        },
      ]}
    />
  );
}

function waitsFor(key: string, edges: readonly PictureEdge[]): string {
  const before = edges
    .filter(({ target }) => target === key)
    .map(({ source, condition }) =>
      condition === undefined || condition === "on_success"
        ? source
        : `${source} (${condition.replaceAll("_", " ")})`,
    );
  return before.length === 0 ? "nothing" : before.join(", ");
}
