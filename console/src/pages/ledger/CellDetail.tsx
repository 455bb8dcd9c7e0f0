import Box from "@cloudscape-design/components/box";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import Table, { type TableProps } from "@cloudscape-design/components/table";

import { Instant, localTime, RouteLink } from "../../kit";
import type { Cell } from "./grid";
import { type LedgerEntry, markOf } from "./marks";

const COLUMNS: TableProps.ColumnDefinition<LedgerEntry>[] = [
  { id: "at", header: "Instant", isRowHeader: true, minWidth: 200, cell: (entry) => <At entry={entry} /> },
  { id: "became", header: "Became", minWidth: 150, cell: (entry) => markOf(entry).word },
  {
    id: "why",
    header: "Explanation",
    minWidth: 300,
    cell: (entry) => entry.explanation,
  },
  {
    id: "run",
    header: "Run",
    minWidth: 110,
    cell: (entry) =>
      entry.kind === "run" ? (
        <RouteLink to={`/runs/${entry.run_id}`} label={`Open the run ${entry.run_id}`}>
          {entry.reason === "collapsed" ? "Open: it names the run that stands for it" : "Open"}
        </RouteLink>
      ) : (
        "–"
      ),
  },
];

/** Explains every record of a cell. */
export default function CellDetail({ cell }: { cell: Cell }) {
  const at = localTime(new Date(cell.from).toISOString(), false).slice(0, 16);
  return (
    <Container header={<Header variant="h3">{`From ${at}`}</Header>}>
      <Table
        variant="embedded"
        wrapLines
        items={cell.entries}
        columnDefinitions={COLUMNS}
        ariaLabels={{ tableLabel: `Records from ${at}` }}
        empty={<Box>Nothing is on record.</Box>}
      />
    </Container>
  );
}

function At({ entry }: { entry: LedgerEntry }) {
  if (entry.kind === "run") return <Instant at={entry.instant} />;
  if (entry.kind === "damaged") return <Instant at={entry.last} />;
  if (entry.count === 1) return <Instant at={entry.first} />;
  return (
    <>
      {entry.count} instants, <Instant at={entry.first} /> to <Instant at={entry.last} />
    </>
  );
}
