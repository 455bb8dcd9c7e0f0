import { useCallback, useEffect, useRef, useState } from "react";

import { type ApiProblem, readAll, type Schemas, useApi, useGone } from "../../../kit";
import { unreachable } from "../../../kit/problems/problem";
import { periodAfter } from "../../../kit/reading";

type Line = Schemas["LogLine"];

export interface FollowedLog {
  lines: Line[];
  problem: ApiProblem | null;
  /** Nothing of it is there yet. */
  isLoading: boolean;
  /** Further pages are on their way. */
  isReadingOn: boolean;
  /** The log goes on behind the lines that were read. */
  isPartial: boolean;
  reread: () => void;
}

/** How often the log of a run that goes on is read: 1,200 requests an hour while it is watched. */
const PERIOD_MS = 3_000;
/** Pages of one reading; a page has up to a hundred lines. */
const MOST_PAGES = 50;

/**
 * Reads the log of a run, and what is added to it while the run goes on. Each page is shown once it is there.
 *
 * Each reading begins at the last page again: a page grows until it is full. Another run needs
 * another component: give it the run's id as its key. Once that has gone, no further page is read.
 */
export function useRunLog(runId: string, hasEnded: boolean): FollowedLog {
  const api = useApi();
  const [lines, setLines] = useState<Line[]>([]);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [isLoading, setIsLoading] = useState(true);
  const [isReadingOn, setReadingOn] = useState(false);
  const [isPartial, setPartial] = useState(false);
  const isReading = useRef(false);
  const isWanted = useRef(false);
  /** Milliseconds since 1970 before which a log that was refused is not read by itself. */
  const restsUntil = useRef(0);
  const isGone = useGone();
  const full = useRef<{ lines: Line[]; cursor: string | null }>({ lines: [], cursor: null });

  const readOn = useCallback(async (): Promise<void> => {
    const known = full.current;
    let { cursor } = known;
    let before = known.lines;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const query = cursor === null ? {} : { cursor };
      const answer = await readAll(
        api.GET("/v1/runs/{run_id}/logs", { params: { path: { run_id: runId }, query } }),
      );
      if (isGone.current) return;
      full.current = { lines: before, cursor };
      before = [...before, ...answer.items];
      cursor = answer.next_cursor;
      setLines(before);
      setPartial(cursor !== null);
      setReadingOn(cursor !== null && page + 1 < MOST_PAGES);
      setIsLoading(false);
      setProblem(null);
      if (cursor === null) break;
    }
  }, [api, runId, isGone]);

  const read = useCallback(() => {
    // A slow answer is waited for: two readings at once would write over each other.
    isWanted.current = true;
    if (isReading.current) return;
    isReading.current = true;
    const readWanted = async (): Promise<void> => {
      // The run may have ended since a reading began: its last lines come with another.
      while (isWanted.current && !isGone.current) {
        isWanted.current = false;
        await readOn();
      }
    };
    readWanted()
      .then(() => {
        restsUntil.current = 0;
      })
      .catch((error: unknown) => {
        const period = periodAfter(error, PERIOD_MS);
        restsUntil.current = period === false ? Infinity : Date.now() + period;
        setProblem(unreachable(error));
      })
      .finally(() => {
        isReading.current = false;
        setReadingOn(false);
        setIsLoading(false);
      });
  }, [readOn, isGone]);

  useEffect(() => {
    read();
    if (hasEnded) {
      return undefined;
    }
    const timer = setInterval(() => {
      if (!document.hidden && !isReading.current && Date.now() >= restsUntil.current) {
        read();
      }
    }, PERIOD_MS);
    return () => {
      clearInterval(timer);
    };
  }, [read, hasEnded]);

  return { lines, problem, isLoading, isReadingOn, isPartial, reread: read };
}
