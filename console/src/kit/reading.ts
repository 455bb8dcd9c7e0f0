import { keepPreviousData, type Query, type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";

import { follow } from "../auth/drafts";
import { announce } from "./announcing";
import { type ApiProblem, unreachable } from "./problems/problem";

/** An answer that is read again while its page is in sight. */
export interface LiveQuery<T> {
  data: T | undefined;
  problem: ApiProblem | null;
  isLoading: boolean;
  refetch: () => void;
}

interface Options<T> {
  key: readonly unknown[];
  read: () => Promise<T>;
  /** Milliseconds until the next read; `null`: it is read once. */
  everyMs: (data: T | undefined) => number | null;
  isEnabled?: boolean;
  /** Shows the last answer until that of another key is there. */
  keepsLast?: boolean;
  /** Shows no answer that another page has read: a form begins with the thing as it is. */
  isFresh?: boolean;
}

/** Marks the answer that a form begins with: the person says when it is read again. */
const OF_FORM = { isOfForm: true };

/** A stack that fails is asked eight times as seldom. */
const BACK_OFF = 8;
/** An answer that is read once is asked for so often until the stack is back. */
const AWAY_MS = 30_000;

/** Statuses that refuse a change of what is another thing by now. */
const OUTDATED: readonly number[] = [409, 412];

/** Returns when to read again after a refusal; `false`: another read would be refused as well. */
export function periodAfter(error: unknown, period: number | null): number | false {
  const { status, code } = unreachable(error).problem;
  if (status === 503) return period === null ? AWAY_MS : period * BACK_OFF;
  // A gateway's own refusal is none of the API's word.
  const isFinal = code !== "unexpected_answer" && status < 500 && ![401, 408, 409, 429].includes(status);
  return period === null || isFinal ? false : period * BACK_OFF;
}

/**
 * Reads an answer and keeps it fresh. A hidden page reads nothing; it reads at once when it is
 * shown again.
 */
export function useLive<T>({ key, read, everyMs, isEnabled, keepsLast, isFresh }: Options<T>): LiveQuery<T> {
  // An answer that is read once stands as it was read, also when the window is seen or has a network again.
  const isReadAgain = ({ state }: { state: { data: T | undefined; status: string; error: unknown } }): boolean =>
    state.status === "error"
      ? periodAfter(state.error, everyMs(state.data)) !== false
      : everyMs(state.data) !== null;
  const query = useQuery({
    queryKey: key,
    queryFn: read,
    enabled: isEnabled ?? true,
    ...(keepsLast === true ? { placeholderData: keepPreviousData } : {}),
    ...(isFresh === true ? { gcTime: 0, meta: OF_FORM } : {}),
    refetchInterval: ({ state }) => {
      const period = everyMs(state.data);
      return state.status === "error" ? periodAfter(state.error, period) : (period ?? false);
    },
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: isReadAgain,
    refetchOnReconnect: isReadAgain,
  });
  return {
    data: query.data,
    problem: query.error === null ? null : unreachable(query.error),
    isLoading: query.isLoading,
    refetch: () => void query.refetch(),
  };
}

/**
 * Returns a value as it was when its question opened. The page beneath is read anew meanwhile: the answer is about what the
 * question shows, and a change carries that version, so that the API refuses it where there is a later one.
 */
export function useOpened<T extends object>(value: T): T {
  return useState(value)[0];
}

/** Pages of a list that are read anew at once: a longer list is cut, and reads on where a person asks for more. */
const MOST_PAGES = 5;

interface Paged {
  pages: unknown[];
  pageParams: unknown[];
}

const isLong = (data: unknown): data is Paged =>
  typeof data === "object" && data !== null && "pages" in data && (data as Paged).pages.length > MOST_PAGES;

/** Reads answers anew that an action may have changed; done once those in sight are there. */
export async function freshen(client: QueryClient, predicate: (query: Query) => boolean = () => true): Promise<void> {
  // Each page is a request, and they come one after the other: ten thousand runs would hold an action up for minutes.
  client.setQueriesData<Paged>({ predicate: (query) => predicate(query) && isLong(query.state.data) }, (list) =>
    list === undefined
      ? list
      : { ...list, pages: list.pages.slice(0, MOST_PAGES), pageParams: list.pageParams.slice(0, MOST_PAGES) },
  );
  for (const query of client.getQueryCache().findAll({ type: "active", predicate })) {
    // A first answer is otherwise waited for, and drawn: it was asked for before the action.
    if (query.state.data === undefined && query.state.fetchStatus !== "idle") void query.cancel({ silent: true });
  }
  await client.invalidateQueries({ predicate });
}

/** Tells if the part of the page that asks has gone: what it does one after the other ends there. */
export function useGone(): RefObject<boolean> {
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  return isGone;
}

/** An action with an effect; all answers are read anew after it. */
export interface Act<T> {
  /** Begins it; nothing while it runs. */
  act: () => void;
  isRunning: boolean;
  problem: ApiProblem | null;
  answer: T | undefined;
  /** Takes its refusal away, or its answer. */
  forget: () => void;
}

/**
 * Runs an action once it is asked for, and calls `onDone` with its answer. What the action deleted
 * is read no more: answers whose keys begin with `gone`.
 *
 * An action is done once the page shows its effect, and no other page opens with an answer from
 * before it: a change carries the version that its page shows, and the API refuses an older one.
 * A person who has left the page meanwhile stays where she went, and one who has closed the question goes on with what
 * she opened since: `onDone` is not called there. `onLate` is called where the question was closed, with an answer that
 * nothing shows again.
 */
export function useAct<T>(
  act: () => Promise<T>,
  onDone: (answer: T) => void,
  gone: readonly string[] | null = null,
  onLate: (answer: T) => void = () => undefined,
): Act<T> {
  const client = useQueryClient();
  const isClosed = useGone();
  const begun = useRef("");
  const isBegun = useRef(false);
  const mutation = useMutation({
    mutationFn: act,
    // An answer may hold a secret that is shown once: no cache keeps it.
    gcTime: 0,
    onSuccess: async (answer) => {
      // Reading anew may take away what was acted on, and its question with it: that is no person's doing.
      const isLate = isClosed.current;
      client.removeQueries({ type: "inactive" });
      await freshen(client, ({ queryKey }) => gone?.every((part, index) => queryKey[index] === part) !== true);
      announce("Done.");
      if (location.pathname !== begun.current) return;
      if (isLate) onLate(answer);
      else {
        follow(() => {
          onDone(answer);
        });
      }
    },
    onError: (error) => {
      // The page shows a version that is there no more: a question that is opened next is about the present one.
      if (!OUTDATED.includes(unreachable(error).problem.status)) return;
      void freshen(client, ({ meta }) => meta?.isOfForm !== true);
    },
    onSettled: () => {
      isBegun.current = false;
    },
  });
  return {
    act: () => {
      // A second click can come before the button is drawn as busy.
      if (isBegun.current) return;
      isBegun.current = true;
      begun.current = location.pathname;
      mutation.mutate();
    },
    isRunning: mutation.isPending,
    problem: mutation.error === null ? null : unreachable(mutation.error),
    answer: mutation.data,
    forget: mutation.reset,
  };
}
