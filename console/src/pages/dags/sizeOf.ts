const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

/** Writes how large a DAG is: "2 tasks, 1 edge". */
export function sizeOf(dag: { task_count: number; edge_count: number }): string {
  return `${counted(dag.task_count, "task")}, ${counted(dag.edge_count, "edge")}`;
}
