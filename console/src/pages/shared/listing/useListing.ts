import { hashKey, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";

import { type ApiProblem, present } from "../../../kit";
import { unreachable } from "../../../kit/problems/problem";
import { freshen, periodAfter } from "../../../kit/reading";
import { unreadableOf } from "./unreadable";

export interface ListPage<Item> {
  items: Item[];
  next_cursor: string | null;
}

export interface Listing<Item, More = unknown> {
  items: Item[];
  /** The first page whole: what an answer says beside its items. */
  first: (ListPage<Item> & More) | undefined;
  /** Names or ids of records that were left out so far, since they cannot be read. */
  unreadable: string[];
  isLoading: boolean;
  problem: ApiProblem | null;
  /** Null: everything is shown. */
  readMore: (() => void) | null;
  isReadingMore: boolean;
  refetch: () => void;
}

const FIRST: Begin = { cursor: null, begun: null };

/** A reading, as far as its period needs it. */
interface Reading {
  state: { data: { pages: readonly unknown[] } | undefined; status: string; error: unknown };
}

/** A page can be short, or empty, and not the last: so many are read for one request to go on. */
const MOST_EMPTY_PAGES = 10;

/** Where a page begins. A cursor is good with the filters of the first page, and so with its instant. */
interface Begin {
  cursor: string | null;
  /** Milliseconds since 1970 at which the first page was read; null: this is the first. */
  begun: number | null;
}

/**
 * Reads a listing page by page; one reading goes on until it has found something.
 *
 * `readPage` is given the instant at which the first page was read: a span that ends now begins with it on every page.
 */
export function useListing<Item, More = unknown>(
  key: readonly unknown[],
  readPage: (cursor: string | null, begun: number) => Promise<ListPage<Item> & More>,
  everyMs: number | false = false,
  mostEmpty = MOST_EMPTY_PAGES,
): Listing<Item, More> {
  const client = useQueryClient();
  // One page is kept fresh; what was asked for beyond it stands as it was read.
  const periodOf = ({ state }: Reading): number | false => {
    const period = (state.data?.pages.length ?? 1) > 1 || everyMs === false ? null : everyMs;
    return state.status === "error" ? periodAfter(state.error, period) : (period ?? false);
  };
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: FIRST,
    queryFn: async ({ pageParam }) => {
      const begun = pageParam.begun ?? present();
      return { ...(await readFilled((cursor) => readPage(cursor, begun), pageParam.cursor, mostEmpty)), begun };
    },
    getNextPageParam: ({ page, begun }): Begin | null =>
      page.next_cursor === null ? null : { cursor: page.next_cursor, begun },
    refetchInterval: periodOf,
    refetchOnWindowFocus: (read) => periodOf(read) !== false,
    refetchOnReconnect: (read) => periodOf(read) !== false,
    retry: false,
  });
  return {
    items: query.data?.pages.flatMap(({ page }) => page.items) ?? [],
    first: query.data?.pages[0]?.page,
    unreadable: [...new Set(query.data?.pages.flatMap(({ unreadable }) => unreadable))],
    isLoading: query.isLoading,
    problem: query.error === null ? null : unreachable(query.error),
    readMore: query.hasNextPage
      ? () => {
          void query.fetchNextPage();
        }
      : null,
    isReadingMore: query.isFetchingNextPage,
    refetch: () => {
      void freshen(client, ({ queryHash }) => queryHash === hashKey(key));
    },
  };
}

async function readFilled<Answer extends ListPage<unknown>>(
  readPage: (cursor: string | null) => Promise<Answer>,
  cursor: string | null,
  mostEmpty: number,
): Promise<{ page: Answer; unreadable: string[] }> {
  let page = await readPage(cursor);
  const unreadable = unreadableOf(page);
  for (let count = 1; count < mostEmpty && page.items.length === 0 && page.next_cursor !== null; count += 1) {
    page = await readPage(page.next_cursor);
    unreadable.push(...unreadableOf(page));
  }
  return { page, unreadable };
}
