import { useInfiniteQuery } from "@tanstack/react-query";

import type { ApiProblem } from "../../../kit";
import { unreachable } from "../../../kit/problem";

export interface ListPage<Item> {
  items: Item[];
  next_cursor: string | null;
}

export interface Listing<Item, More = unknown> {
  items: Item[];
  /** The first page whole: what an answer says beside its items. */
  first: (ListPage<Item> & More) | undefined;
  isLoading: boolean;
  problem: ApiProblem | null;
  /** Null: everything is shown. */
  readMore: (() => void) | null;
  isReadingMore: boolean;
  refetch: () => void;
}

/** A page can be short, or empty, and not the last: so many are read for one request to go on. */
const MOST_EMPTY_PAGES = 10;

/** Reads a listing page by page; one reading goes on until it has found something. */
export function useListing<Item, More = unknown>(
  key: readonly unknown[],
  readPage: (cursor: string | null) => Promise<ListPage<Item> & More>,
  everyMs: number | false = false,
  mostEmpty = MOST_EMPTY_PAGES,
): Listing<Item, More> {
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => readFilled(readPage, pageParam, mostEmpty),
    getNextPageParam: (last) => last.next_cursor,
    // One page is kept fresh; what was asked for beyond it stands as it was read.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 1) > 1 ? false : everyMs),
    retry: false,
  });
  return {
    items: query.data?.pages.flatMap(({ items }) => items) ?? [],
    first: query.data?.pages[0],
    isLoading: query.isLoading,
    problem: query.error === null ? null : unreachable(query.error),
    readMore: query.hasNextPage
      ? () => {
          void query.fetchNextPage();
        }
      : null,
    isReadingMore: query.isFetchingNextPage,
    refetch: () => {
      void query.refetch();
    },
  };
}

async function readFilled<Answer extends ListPage<unknown>>(
  readPage: (cursor: string | null) => Promise<Answer>,
  cursor: string | null,
  mostEmpty: number,
): Promise<Answer> {
  let page = await readPage(cursor);
  for (let count = 1; count < mostEmpty && page.items.length === 0; count += 1) {
    if (page.next_cursor === null) {
      return page;
    }
    page = await readPage(page.next_cursor);
  }
  return page;
}
