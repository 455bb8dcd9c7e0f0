import Table from "@cloudscape-design/components/table";
import Button from "@cloudscape-design/components/button";
import { useMemo } from "react";

import { Instant, RouteLink, type Schemas } from "../../kit";
import type { PictureEdge } from "../dags/picture";
import { useRowPages } from "../shared/listing/useRowPages";
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
  const waits = useMemo(() => waitsOf(edges), [edges]);
  const { rows, pages } = useRowPages(tasks, selected);
  return (
    <Table
      variant="borderless"
      trackBy="key"
      wrapLines
      items={rows}
      pagination={pages}
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
          cell: (task) => waits.get(task.key)?.join(", ") ?? "nothing",
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

/** Writes what each task waits for, by its key. */
function waitsOf(edges: readonly PictureEdge[]): ReadonlyMap<string, readonly string[]> {
  const waits = new Map<string, string[]>();
  for (const { source, target, condition } of edges) {
    const said = condition === undefined || condition === "on_success" ? source : `${source} (${condition.replaceAll("_", " ")})`;
    const before = waits.get(target);
    if (before === undefined) waits.set(target, [said]);
    else before.push(said);
  }
  return waits;
}
