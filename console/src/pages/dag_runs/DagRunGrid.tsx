import Box from "@cloudscape-design/components/box";
import Select from "@cloudscape-design/components/select";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { useQueries } from "@tanstack/react-query";

import {
  type ApiProblem,
  Instant,
  ProblemAlert,
  readAll,
  RouteLink,
  type Schemas,
  Skeleton,
  useApi,
  useFollow,
  useSearch,
} from "../../kit";
import { unreachable } from "../../kit/problems/problem";
import { periodAfter } from "../../kit/reading";
import { ListFooter } from "../shared/listing/ListFooter";
import { Scroll } from "../shared/Scroll";
import { stateWords } from "../shared/stateWords";
import { Unreadable } from "../shared/listing/Unreadable";
import { useListing } from "../shared/listing/useListing";
import { writeDuration } from "../timeAxis";
import { hasEnded } from "./consequences";
import { GridCell } from "./grid/GridCell";
import "../shared/tokens.css";
import "./grid/dagRunGrid.css";

type Dag = Schemas["Dag"];
type Row = Schemas["DagRunRow"];
type DagRun = Schemas["DagRun"];

/** Columns of one reading. Each costs one request of weight 4, and one every 15 s while it goes on. */
const COLUMNS = 20;
const PERIOD_MS = 15_000;

const STATUSES = ["succeeded", "failed", "cancelled", "timed_out", "running", "stopping"] as const;

/** Shows runs of a DAG × its tasks: each cell is a task's state, each column a run. */
export function DagRunGrid({ dag }: { dag: Dag }) {
  const [search, setSearch] = useSearch();
  const api = useApi();
  const asked = STATUSES.find((each) => each === search.get("status"));
  const listing = useListing(
    ["dag-runs", dag.dag_id, asked ?? "all"],
    (cursor) =>
      readAll(
        api.GET("/v1/dags/{dag_id}/runs", {
          params: {
            path: { dag_id: dag.dag_id },
            query: {
              limit: COLUMNS,
              ...(asked === undefined ? {} : { status: asked }),
              ...(cursor === null ? {} : { cursor }),
            },
          },
        }),
      ),
    PERIOD_MS,
  );
  const { runs, problem } = useRuns(listing.items);
  const isEmpty = listing.items.length + listing.unreadable.length === 0;
  const statuses = [
    { value: "all", label: "Runs of every status" },
    ...STATUSES.map((value) => ({ value, label: stateWords(value) })),
  ];
  return (
    <SpaceBetween size="m">
      <div className="tg-narrow">
        <Select
        ariaLabel="Status of the runs"
        options={statuses}
        selectedOption={statuses.find(({ value }) => value === (asked ?? "all")) ?? null}
        onChange={({ detail }) => {
          const { value } = detail.selectedOption;
          setSearch({ status: value === "all" || value === undefined ? null : value });
        }}
        />
      </div>
      {listing.problem !== null && <ProblemAlert problem={listing.problem} />}
      {listing.problem === null && problem !== null && <ProblemAlert problem={problem} />}
      {listing.isLoading && <Skeleton what="runs" lines={8} />}
      <Unreadable names={listing.unreadable} what="runs" />
      {!listing.isLoading && listing.problem === null && listing.readMore === null && isEmpty && (
        <Box color="text-body-secondary">
          {asked === undefined
            ? "The DAG has not run yet. Start a run, or create a job with the action dag."
            : "No run has this status."}
        </Box>
      )}
      {listing.items.length > 0 && <GridTable rows={listing.items} runs={runs} dag={dag} />}
      <ListFooter listing={listing} what="runs" />
    </SpaceBetween>
  );
}

/** Reads the tasks of each run; one that has ended is read once. A refusal leaves the cells of its run empty for a while. */
function useRuns(rows: readonly Row[]): { runs: ReadonlyMap<string, DagRun>; problem: ApiProblem | null } {
  const api = useApi();
  const queries = useQueries({
    queries: rows.map((row) => ({
      queryKey: ["dag-run", row.dag_run_id, row.status, row.ended_count, row.round],
      queryFn: () =>
        readAll(
          api.GET("/v1/dag-runs/{dag_run_id}", {
            params: { path: { dag_run_id: row.dag_run_id } },
          }),
        ),
      staleTime: hasEnded(row.status) ? Number.POSITIVE_INFINITY : 0,
      retry: false,
      refetchInterval: ({ state }: { state: { status: string; error: unknown } }) =>
        state.status === "error" ? periodAfter(state.error, PERIOD_MS) : (false as const),
    })),
  });
  const refused = queries.find(({ error }) => error !== null)?.error ?? null;
  return {
    runs: new Map(queries.flatMap(({ data }) => (data === undefined ? [] : [[data.dag_run_id, data] as const]))),
    problem: refused === null ? null : unreachable(refused),
  };
}

interface GridProps {
  rows: readonly Row[];
  runs: ReadonlyMap<string, DagRun>;
  dag: Dag;
}

function GridTable({ rows, runs, dag }: GridProps) {
  // Oldest on the left, as time runs; tasks of older versions follow those of the present one.
  const columns = [...rows].reverse();
  const longest = Math.max(1, ...columns.map((row) => lengthOf(row) ?? 0));
  const keys = keysOf(dag, columns, runs);
  const tasks = new Map([...runs].map(([id, run]) => [id, new Map(run.tasks.map((task) => [task.key, task]))]));
  const follow = useFollow();
  return (
    <Scroll className="tg-scroll" label="Runs and tasks">
      <table className="tg-grid">
        <caption className="tg-visually-hidden">Runs of {dag.name} by task</caption>
        <thead>
          <tr>
            <th scope="col">Task</th>
            {columns.map((row) => (
              <th scope="col" key={row.dag_run_id}>
                <Head row={row} longest={longest} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key}>
              <th scope="row">{key}</th>
              {columns.map((row) => (
                <td key={row.dag_run_id}>
                  <GridCell
                    dagRunId={row.dag_run_id}
                    taskKey={key}
                    isRead={tasks.has(row.dag_run_id)}
                    state={tasks.get(row.dag_run_id)?.get(key)?.state ?? null}
                    reason={tasks.get(row.dag_run_id)?.get(key)?.reason ?? null}
                    onFollow={follow}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function keysOf(dag: Dag, columns: readonly Row[], runs: ReadonlyMap<string, DagRun>): string[] {
  const keys = new Set(dag.tasks.map(({ key }) => key));
  for (const { dag_run_id: id } of columns) {
    for (const { key } of runs.get(id)?.tasks ?? []) {
      keys.add(key);
    }
  }
  return [...keys];
}

function lengthOf(row: Row): number | null {
  return row.ended_at === null ? null : Date.parse(row.ended_at) - Date.parse(row.created_at);
}

function Head({ row, longest }: { row: Row; longest: number }) {
  const length = lengthOf(row);
  const share = length === null ? 100 : Math.max(6, (length / longest) * 100);
  const said = `${stateWords(row.status)}${length === null ? "" : ` after ${writeDuration(length)}`}, version ${row.dag_version}`;
  return (
    <RouteLink to={`/dag-runs/${row.dag_run_id}`}>
      <span className="tg-grid-head">
        <span className="tg-grid-bar-box" title={said}>
          <span className={`tg-grid-bar tg-grid-${row.status}`} style={{ blockSize: `${share}%` }} />
        </span>
        <span className="tg-grid-when">
          <Instant at={row.scheduled_at} short />
        </span>
        <span className="tg-visually-hidden">{` ${said}`}</span>
      </span>
    </RouteLink>
  );
}
