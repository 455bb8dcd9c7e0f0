import Box from "@cloudscape-design/components/box";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { Instant, Said, type Schemas } from "../../../kit";
import { Scroll } from "../../shared/Scroll";
import { axisOf, percentAt, writeDuration } from "../../timeAxis";
import { type Stage, type StageKey, type Waterfall, waterfallOf } from "./waterfall";
import "../../shared/tokens.css";
import "./waterfall.css";

type Attempt = Schemas["Attempt"];

const NAMES: Record<StageKey, string> = {
  planned: "Planned",
  published: "Published",
  received: "Received",
  claimed: "Claimed",
  started: "Started",
  ended: "Ended",
};

/** Draws where the time of an attempt went: a row for each stretch, and a table of instants. */
export function WhereTheTimeWent({ attempt, now }: { attempt: Attempt; now: number }) {
  const waterfall = waterfallOf(attempt, now);
  return (
    <SpaceBetween size="m">
      <Verdict attempt={attempt} waterfall={waterfall} />
      <Chart waterfall={waterfall} />
      <Stages stages={waterfall.stages} />
    </SpaceBetween>
  );
}

function Verdict({ attempt, waterfall }: { attempt: Attempt; waterfall: Waterfall }) {
  const { slowest } = waterfall;
  if (attempt.rate_limited !== null) {
    const { key } = attempt.rate_limited;
    return <Box variant="p">The rate limit <Said>{key}</Said> gave it a later turn.</Box>;
  }
  if (slowest === null || slowest.lengthMs < 1_000) {
    return (
      <Box variant="p">
        {attempt.started_at === null
          ? attempt.explanation
          : "It started within a second of its due time."}
      </Box>
    );
  }
  return (
    <Box variant="p">
      Most of the wait, {writeDuration(slowest.lengthMs)}: {lowerFirst(slowest.title)}.
    </Box>
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function Chart({ waterfall }: { waterfall: Waterfall }) {
  const axis = axisOf(waterfall.begins, waterfall.ends, 6);
  return (
    <div className="tg-waterfall" role="list" aria-label="Stretches of the attempt">
      {waterfall.stretches.map((each) => {
        const left = percentAt(axis, each.begins);
        const width = percentAt(axis, each.ends) - left;
        const length = each.isOpen
          ? `${writeDuration(each.lengthMs)} so far`
          : writeDuration(each.lengthMs);
        return (
          <div className="tg-waterfall-row" role="listitem" key={`${each.from}-${each.to}`}>
            <span className="tg-waterfall-title">{each.title}</span>
            <span className="tg-waterfall-track" aria-hidden="true">
              <span
                className={`tg-bar tg-bar-${each.kind}${each.isOpen ? " tg-bar-open" : ""}`}
                style={{ insetInlineStart: `${left}%`, inlineSize: `max(${width}%, 3px)` }}
              />
            </span>
            <span className="tg-waterfall-length">{length}</span>
          </div>
        );
      })}
      <div className="tg-waterfall-row tg-waterfall-axis" aria-hidden="true">
        <span className="tg-waterfall-title">since it was due</span>
        <span className="tg-waterfall-track">
          {axis.ticks.map((tick) => (
            <span
              className="tg-tick"
              key={tick}
              style={{ insetInlineStart: `${(tick / (axis.ends - axis.begins)) * 100}%` }}
            >
              {tick === 0 ? "due" : writeDuration(tick)}
            </span>
          ))}
        </span>
        <span className="tg-waterfall-length" />
      </div>
    </div>
  );
}

function Stages({ stages }: { stages: readonly Stage[] }) {
  return (
    <Scroll className="tg-scroll" label="Instants of the attempt">
      <table className="tg-table">
        <thead>
          <tr>
            <th scope="col">Stage</th>
            <th scope="col">Instant</th>
            <th scope="col">Since due</th>
          </tr>
        </thead>
        <tbody>
          {stages.map((stage) => (
            <tr key={stage.key}>
              <th scope="row">{NAMES[stage.key]}</th>
              <td>
                {stage.at === null ? "–" : <Instant at={new Date(stage.at).toISOString()} precise />}
              </td>
              <td>{stage.sinceDue === null ? "–" : sinceDue(stage.sinceDue)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function sinceDue(milliseconds: number): string {
  return milliseconds < 0
    ? `${writeDuration(-milliseconds)} before`
    : `+${writeDuration(milliseconds)}`;
}
