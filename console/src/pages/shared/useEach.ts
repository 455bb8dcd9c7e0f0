import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import { type ApiProblem, useGone } from "../../kit";
import { unreachable } from "../../kit/problems/problem";
import { freshen } from "../../kit/reading";

/** The end of one action of many: null stands for its success. */
export type Ends = ReadonlyMap<string, ApiProblem | null>;

export interface Each<Item> {
  /** The items that it was begun with; null: it has not begun. */
  begun: readonly Item[] | null;
  ends: Ends;
  isRunning: boolean;
  /** Begins with items; nothing while it runs. */
  begin: (items: readonly Item[]) => void;
  /** Takes no further item. */
  stop: () => void;
}

/** Acts on items one after the other: a refusal of one stops no other. Once its page has gone, it takes no further item. */
export function useEach<Item>(keyOf: (item: Item) => string, act: (item: Item) => Promise<unknown>): Each<Item> {
  const client = useQueryClient();
  const [ends, setEnds] = useState<Ends>(new Map());
  const [begun, setBegun] = useState<readonly Item[] | null>(null);
  const [isRunning, setRunning] = useState(false);
  const isStopped = useRef(false);
  const isBegun = useRef(false);
  const isGone = useGone();
  const work = async (items: readonly Item[]): Promise<void> => {
    for (const item of items) {
      if (isStopped.current || isGone.current) break;
      let end: ApiProblem | null = null;
      try {
        await act(item);
      } catch (error) {
        end = unreachable(error);
      }
      setEnds((was) => new Map(was).set(keyOf(item), end));
    }
    isBegun.current = false;
    setRunning(false);
    void freshen(client);
  };
  return {
    begun,
    ends,
    isRunning,
    begin: (items) => {
      // A second click can come before the button is drawn as busy.
      if (isBegun.current) return;
      isBegun.current = true;
      isStopped.current = false;
      setBegun(items);
      setRunning(true);
      void work(items);
    },
    stop: () => {
      isStopped.current = true;
    },
  };
}
