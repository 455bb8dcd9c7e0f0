import "./ledgerGrid.css";

import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import SegmentedControl from "@cloudscape-design/components/segmented-control";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { lazy, Suspense, useState } from "react";

import { Instant, Live, localTime, Skeleton, useNow, useSearch } from "../../kit";
import { isDay } from "../shared/instants";
import { Scroll } from "../shared/Scroll";
import { type Cell, dayBegins, dayOf, daysByHours, hoursByMinutes, type Row } from "./grid";
import { MARKS } from "./marks";
import { useLedger } from "./useLedger";

/** Its table is loaded once a cell is chosen. */
const CellDetail = lazy(() => import("./CellDetail"));

const SPANS = { "1d": 1, "7d": 7, "31d": 31 } as const;
type Span = keyof typeof SPANS;
const isSpan = (text: string): text is Span => Object.hasOwn(SPANS, text);
/** The present moves the grid on at each minute. */
const MINUTE_MS = 60_000;

/** Shows each instant of a job as a cell that explains itself: days by hours, or hours by minutes. */
export function LedgerGrid({ jobId }: { jobId: string }) {
  const now = useNow(MINUTE_MS);
  const [search, setSearch] = useSearch();
  const [chosen, setChosen] = useState<number | null>(null);
  const asked = search.get("span") ?? "";
  const span = isSpan(asked) ? asked : "7d";
  const given = search.get("day") ?? "";
  const day = isDay(given) ? new Date(`${given}T00:00:00`).getTime() : Number.NaN;
  const last = Number.isNaN(day) ? dayBegins(now) : day;
  const days = SPANS[span];
  const from = dayBegins(last, 1 - days);
  const to = dayBegins(last, 1);
  const live = useLedger(jobId, from, to);
  const move = (by: number): void => {
    setChosen(null);
    setSearch({ day: dayOf(dayBegins(last, by * days)) });
  };
  return (
    <SpaceBetween size="m">
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        <SegmentedControl
          label="Span"
          selectedId={span}
          options={[
            { id: "1d", text: "One day" },
            { id: "7d", text: "7 days" },
            { id: "31d", text: "31 days" },
          ]}
          onChange={({ detail }) => {
            setChosen(null);
            setSearch({ span: detail.selectedId });
          }}
        />
        <Button iconName="angle-left" ariaLabel="Earlier" onClick={() => { move(-1); }} />
        <Button iconName="angle-right" ariaLabel="Later" onClick={() => { move(1); }} />
        <Button onClick={() => { setChosen(null); setSearch({ day: null }); }}>Today</Button>
        <Box color="text-body-secondary">
          {localTime(new Date(from).toISOString(), false)} to {localTime(new Date(to).toISOString(), false)},{" "}
          {Intl.DateTimeFormat().resolvedOptions().timeZone}
        </Box>
      </SpaceBetween>
      <Live live={live}>
        {({ entries, readUntil }) => (
          <SpaceBetween size="s">
            {readUntil !== null && (
              <Alert type="warning">
                The span has more records than are shown: those after <Instant at={readUntil} /> are
                left out. Choose one day.
              </Alert>
            )}
            <Chosen
              rows={span === "1d" ? hoursByMinutes(entries, from) : daysByHours(entries, from, days)}
              isOfOneDay={span === "1d"}
              chosen={chosen}
              onChoose={setChosen}
              isEmpty={entries.length === 0 && readUntil === null}
            />
          </SpaceBetween>
        )}
      </Live>
    </SpaceBetween>
  );
}

/** Shows the grid, and what became of the chosen cell as it is by now. */
function Chosen({ isEmpty, ...grid }: GridProps & { isEmpty: boolean }) {
  const cells = grid.rows.flatMap((row) => row.cells);
  const cell = cells.find(({ from, mark }) => from === grid.chosen && mark !== null);
  return (
    <SpaceBetween size="s">
      <Grid {...grid} />
      {isEmpty && <Box>Nothing is on record in this span.</Box>}
      <Legend />
      {cell !== undefined && (
        <Suspense fallback={<Skeleton what="what became of it" />}>
          <CellDetail cell={cell} />
        </Suspense>
      )}
    </SpaceBetween>
  );
}

interface GridProps {
  rows: Row[];
  isOfOneDay: boolean;
  chosen: number | null;
  /** Is given the instant at which the cell begins. */
  onChoose: (from: number) => void;
}

function Grid({ rows, isOfOneDay, chosen, onChoose }: GridProps) {
  const most = Math.max(...rows.map(({ cells }) => cells.length));
  const label = isOfOneDay ? "Instants by hour and minute" : "Instants by day and hour";
  return (
    <Scroll className="ledger-scroll" label={label}>
      <table className="ledger" data-dense={isOfOneDay}>
        <caption className="unseen">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{isOfOneDay ? "Hour" : "Day"}</th>
            {Array.from({ length: most }, (_, index) => (
              <th key={index} scope="col" className={isOfOneDay && index % 5 !== 0 ? "unseen-text" : ""}>
                {isOfOneDay ? `:${String(index).padStart(2, "0")}` : String(index).padStart(2, "0")}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.begins}>
              <th scope="row">{row.label}</th>
              {row.cells.map((cell, index) => (
                <td key={index}>
                  <CellButton cell={cell} isChosen={cell.from === chosen} onChoose={onChoose} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface CellProps {
  cell: Cell;
  isChosen: boolean;
  onChoose: (from: number) => void;
}

function CellButton({ cell, isChosen, onChoose }: CellProps) {
  if (cell.mark === null) return null;
  const { letter, tone, word } = cell.mark;
  const at = localTime(new Date(cell.from).toISOString(), false).slice(0, 16);
  const instants = cell.count === 1 ? "one instant" : `${cell.count} instants`;
  return (
    <button
      type="button"
      className="ledger-cell"
      data-tone={tone}
      aria-pressed={isChosen}
      aria-label={`${at}: ${word}, ${instants}`}
      title={`${at}: ${word}, ${instants}`}
      onClick={() => {
        onChoose(cell.from);
      }}
    >
      {letter}
    </button>
  );
}

function Legend() {
  return (
    <ul className="ledger-legend" aria-label="Meaning of the letters">
      {Object.values(MARKS).map(({ letter, word, tone }) => (
        <li key={letter}>
          <span className="ledger-cell" data-tone={tone} aria-hidden="true">
            {letter}
          </span>{" "}
          {word}
        </li>
      ))}
    </ul>
  );
}
