import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Table from "@cloudscape-design/components/table";
import Toggle from "@cloudscape-design/components/toggle";
import { useState } from "react";

import { Instant, localTime, type Schemas } from "../../kit";
import { State } from "../shared/State";
import { writeDuration } from "../timeAxis";
import { type Pair, pairsOf, type Row } from "./rows";

type Simulation = Schemas["Simulation"];

/** Rows that are drawn first; the rest is a click away. */
const DRAWN = 200;

/** Shows two simulations side by side: sums, and the record of each instant. */
export function Outcome({ before, after }: { before: Simulation; after: Simulation }) {
  return (
    <SpaceBetween size="l">
      <Sums before={before.summary} after={after.summary} />
      {after.refused.map(({ at, field, code }) => (
        <Alert key={`${field} ${at}`} type="warning">
          {field} would be refused at <Instant at={at} both /> ({code}).
        </Alert>
      ))}
      <Notices notices={after.notices} />
      <Records pairs={pairsOf(before.rows, after.rows)} />
    </SpaceBetween>
  );
}

function Sums({ before, after }: { before: Simulation["summary"]; after: Simulation["summary"] }) {
  return (
    <Table
      variant="embedded"
      ariaLabels={{ tableLabel: "Sums" }}
      items={sumsOf(before, after)}
      trackBy="name"
      columnDefinitions={[
        { id: "name", header: "Sum", isRowHeader: true, cell: ({ name }) => name },
        { id: "before", header: "As it is", cell: (sum) => sum.before },
        { id: "after", header: "In this scenario", cell: (sum) => (sum.after === sum.before ? sum.after : <b>{sum.after}</b>) },
      ]}
    />
  );
}

/** Lists the sums of two simulations, those by reason where either has some. */
function sumsOf(before: Simulation["summary"], after: Simulation["summary"]) {
  const count = (value: number): string => value.toLocaleString("en");
  const sum = (name: string, of: (summary: Simulation["summary"]) => string) => ({ name, before: of(before), after: of(after) });
  const byReason = (["skipped", "cancelled"] as const).flatMap((state) =>
    [...new Set([...Object.keys(before[state]), ...Object.keys(after[state])])]
      .sort()
      .map((reason) =>
        sum(`${state} (${reason})`, (summary) => count((summary[state] as Record<string, number>)[reason] ?? 0)),
      ),
  );
  const told = [...new Set([...Object.keys(before.notices), ...Object.keys(after.notices)])]
    .sort()
    .map((type) => sum(`told (${type})`, ({ notices }) => count((notices as Record<string, number>)[type] ?? 0)));
  return [
    sum("Instants", ({ instants }) => count(instants)),
    sum("Runs that succeed", ({ runs }) => count(runs)),
    sum("Runs that fail", ({ failed }) => count(failed)),
    ...byReason,
    ...told,
    sum("Undecided at the end", ({ undecided }) => count(undecided)),
    sum("Latest start", ({ max_lateness_ms: ms }) => writeDuration(ms)),
    sum("Missed deadlines", ({ missed_deadlines: missed }) => count(missed)),
  ];
}

/** Lists what people would be told in the scenario; nothing where they would not be. */
function Notices({ notices }: { notices: Simulation["notices"] }) {
  if (notices.length === 0) return null;
  return (
    <Table
      wrapLines
      ariaLabels={{ tableLabel: "Notices" }}
      items={notices.slice(0, DRAWN).map((notice, index) => ({ ...notice, key: String(index) }))}
      trackBy="key"
      header={
        <Header variant="h2" counter={`(${notices.length.toLocaleString("en")})`}>
          Notices in this scenario
        </Header>
      }
      columnDefinitions={[
        { id: "at", header: "Told", minWidth: 180, isRowHeader: true, cell: ({ at }) => <Instant at={at} both /> },
        { id: "rule", header: "By", minWidth: 120, cell: ({ rule }) => rule ?? "the job's channels" },
        { id: "text", header: "Words", minWidth: 240, cell: ({ text }) => text },
      ]}
    />
  );
}

function Records({ pairs }: { pairs: readonly Pair[] }) {
  const [isWhole, setWhole] = useState(false);
  const [drawn, setDrawn] = useState(DRAWN);
  const changed = pairs.filter(({ isChanged }) => isChanged);
  const shown = isWhole ? pairs : changed;
  return (
    <Table
      wrapLines
      ariaLabels={{ tableLabel: "Records" }}
      items={shown.slice(0, drawn)}
      trackBy="key"
      header={
        <Header
          variant="h2"
          counter={`(${changed.length.toLocaleString("en")} of ${pairs.length.toLocaleString("en")} differ)`}
          actions={
            <Toggle
              checked={isWhole}
              onChange={({ detail }) => {
                setWhole(detail.checked);
              }}
            >
              Show those that stay the same
            </Toggle>
          }
        >
          Records
        </Header>
      }
      empty={<Box textAlign="center">Nothing would be different.</Box>}
      columnDefinitions={[
        { id: "instants", header: "Instants", minWidth: 220, isRowHeader: true, cell: (pair) => <Instants pair={pair} /> },
        { id: "count", header: "Count", minWidth: 80, cell: ({ count }) => count.toLocaleString("en") },
        { id: "before", header: "As it is", minWidth: 200, cell: ({ before }) => <Record row={before} /> },
        { id: "after", header: "In this scenario", minWidth: 200, cell: ({ after }) => <Record row={after} /> },
      ]}
      footer={
        shown.length > drawn ? (
          <Box textAlign="center">
            <Button
              onClick={() => {
                setDrawn(drawn + DRAWN);
              }}
            >
              Show more records
            </Button>
          </Box>
        ) : undefined
      }
    />
  );
}

function Instants({ pair }: { pair: Pair }) {
  return (
    <>
      <Instant at={pair.first} both />
      {pair.last !== pair.first && (
        <>
          {" to "}
          <Instant at={pair.last} both />
        </>
      )}
    </>
  );
}

function Record({ row }: { row: Row | null }) {
  if (row === null) return <Box color="text-body-secondary">No such record</Box>;
  const facts = row.type === "gap" ? gapFacts(row) : runFacts(row);
  return (
    <>
      <State state={row.state} reason={row.reason} />
      {facts.map((fact) => (
        <div key={fact}>{fact}</div>
      ))}
    </>
  );
}

function gapFacts(gap: Extract<Row, { type: "gap" }>): string[] {
  return gap.rolled_to === null ? [] : [`moved to ${localTime(gap.rolled_to, false)}`];
}

function runFacts(run: Extract<Row, { type: "run" }>): string[] {
  const { lateness_ms: late, duration_ms: took, due_at: due, scheduled_at: at, finish_by: deadline } = run;
  return [
    ...(due === at ? [] : [`due ${localTime(due, false)}`]),
    ...(late === null ? [] : [late === 0 ? "on time" : `${writeDuration(late)} late`]),
    ...(took === null || took === 0 ? [] : [`took ${writeDuration(took)}`]),
    ...(deadline === null ? [] : [`deadline: ${deadline.outlook.replaceAll("_", " ")}`]),
  ];
}
