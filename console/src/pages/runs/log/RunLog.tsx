import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Select from "@cloudscape-design/components/select";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Toggle from "@cloudscape-design/components/toggle";
import { memo, useEffect, useRef, useState } from "react";

import { Instant, ProblemAlert, type Schemas, Skeleton } from "../../../kit";
import { Scroll } from "../../shared/Scroll";
import { useRunLog } from "./useRunLog";
import "../../shared/tokens.css";
import "./runLog.css";

type Line = Schemas["LogLine"];

const LEVELS = [
  { value: "all", label: "All lines" },
  { value: "said", label: "Messages of workers" },
  { value: "warning", label: "Warnings and errors" },
];

/** Shows the log of a run, and follows it while the run goes on. */
export function RunLog({ runId, hasEnded }: { runId: string; hasEnded: boolean }) {
  const { lines, problem, isLoading, isReadingOn, isPartial, reread } = useRunLog(runId, hasEnded);
  const [shown, setShown] = useState("all");
  const [follows, setFollows] = useState(true);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = end.current?.parentElement;
    if (follows && !hasEnded && box != null) {
      box.scrollTop = box.scrollHeight;
    }
  }, [lines.length, follows, hasEnded]);
  const matching = lines.filter((line) => isShown(line, shown));
  return (
    <SpaceBetween size="s">
      <SpaceBetween size="s" direction="horizontal" alignItems="center">
        <Select
          ariaLabel="Lines shown"
          options={LEVELS}
          selectedOption={LEVELS.find(({ value }) => value === shown) ?? null}
          onChange={({ detail }) => {
            setShown(detail.selectedOption.value ?? "all");
          }}
        />
        {hasEnded ? (
          <Button iconName="refresh" ariaLabel="Read the log again" onClick={reread} />
        ) : (
          <Toggle
            checked={follows}
            onChange={({ detail }) => {
              setFollows(detail.checked);
            }}
          >
            Follow
          </Toggle>
        )}
      </SpaceBetween>
      {problem !== null && <ProblemAlert problem={problem} />}
      <Scroll className="tg-log" role="log" label="Log of the run">
        {isLoading && <Skeleton what="the log" />}
        {matching.map((line, index) => (
          <LogRow line={line} key={`${line.at} ${index}`} />
        ))}
        {isReadingOn && <Skeleton what="the rest of the log" lines={1} />}
        {!isLoading && !isReadingOn && problem === null && matching.length === 0 && (
          <Box color="text-body-secondary">
            {lines.length === 0 ? "Nothing has happened to it yet." : "No line matches."}
          </Box>
        )}
        <div ref={end} />
      </Scroll>
      {hasEnded && isPartial && !isReadingOn && (
        <Box color="text-body-secondary">The log goes on: read it again for what follows.</Box>
      )}
    </SpaceBetween>
  );
}

function isShown(line: Line, shown: string): boolean {
  if (shown === "said") {
    return line.kind === "message" || line.kind === "progress";
  }
  return shown !== "warning" || line.level === "warning" || line.level === "error";
}

/** Stays as it was drawn while more lines come: a log has up to thousands. */
const LogRow = memo(function LogRow({ line }: { line: Line }) {
  return (
    <div className={`tg-log-row tg-log-${line.level ?? "record"}`}>
      <span className="tg-log-at">
        <Instant at={line.at} clock />
      </span>
      <span className="tg-log-kind">
        {line.level ?? line.kind} · attempt {line.attempt}
      </span>
      <span className="tg-log-text">{line.text}</span>
    </div>
  );
});
