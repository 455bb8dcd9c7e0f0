import type { Schemas } from "../../kit";

export type Row = Schemas["Simulation"]["rows"][number];

/** Instants of the range, and the record that each of two simulations has of them. */
export interface Pair {
  key: string;
  first: string;
  last: string;
  count: number;
  /** `null`: the simulation has no record of just these instants. */
  before: Row | null;
  after: Row | null;
  isChanged: boolean;
}

/** Sets the records of two simulations side by side, by their instants. */
export function pairsOf(before: readonly Row[], after: readonly Row[]): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const row of before) pairs.set(keyOf(row), { ...placeOf(row), before: row, after: null, isChanged: true });
  for (const row of after) {
    const paired = pairs.get(keyOf(row))?.before ?? null;
    const isChanged = paired === null || !isSame(paired, row);
    pairs.set(keyOf(row), { ...placeOf(row), before: paired, after: row, isChanged });
  }
  return [...pairs.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
}

function placeOf(row: Row): Pick<Pair, "key" | "first" | "last" | "count"> {
  const key = keyOf(row);
  return row.type === "gap"
    ? { key, first: row.first, last: row.last, count: row.count }
    : { key, first: row.scheduled_at, last: row.scheduled_at, count: 1 };
}

/** Instants of one record: a run and a gap of one instant are the same place. */
function keyOf(row: Row): string {
  return row.type === "gap" ? `${row.first} ${row.last} ${row.count}` : `${row.scheduled_at} ${row.scheduled_at} 1`;
}

/** Tells if two records say the same to the job's owner; versions and planning may differ. */
function isSame(one: Row, other: Row): boolean {
  return JSON.stringify(outcomeOf(one)) === JSON.stringify(outcomeOf(other));
}

function outcomeOf(row: Row): unknown[] {
  return row.type === "gap"
    ? [row.type, row.state, row.reason, row.rolled_to]
    : [row.type, row.state, row.reason, row.due_at, row.started_at, row.ended_at, row.finish_by?.outlook ?? null];
}
