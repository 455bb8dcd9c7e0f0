import Pagination from "@cloudscape-design/components/pagination";
import { type ReactNode, useState } from "react";

/** So many rows are drawn at once: 500 hold a window for more than a second. */
const ROWS = 100;

interface RowPages<Item> {
  rows: readonly Item[];
  /** Turns the pages; null: there is one. */
  pages: ReactNode;
}

/** Shows long rows by pages. The page of a row that is chosen comes into sight, also where it is chosen elsewhere. */
export function useRowPages<Item extends { key: string }>(items: readonly Item[], chosen: string | null): RowPages<Item> {
  const pageOf = (key: string | null): number => Math.floor(Math.max(0, items.findIndex((item) => item.key === key)) / ROWS);
  const [at, setAt] = useState(() => ({ chosen, page: pageOf(chosen) }));
  // A row that is no longer chosen leaves its page in sight.
  if (at.chosen !== chosen) setAt({ chosen, page: chosen === null ? at.page : pageOf(chosen) });
  const count = Math.ceil(items.length / ROWS);
  const page = Math.max(0, Math.min(at.page, count - 1));
  return {
    rows: items.slice(page * ROWS, (page + 1) * ROWS),
    pages: count < 2 ? null : (
      <Pagination
        currentPageIndex={page + 1}
        pagesCount={count}
        ariaLabels={{
          paginationLabel: "Pages of tasks",
          previousPageLabel: "Tasks before",
          nextPageLabel: "Tasks behind",
          pageLabel: (number) => `Tasks ${(number - 1) * ROWS + 1} to ${Math.min(number * ROWS, items.length)}`,
        }}
        onChange={({ detail }) => {
          setAt({ chosen, page: detail.currentPageIndex - 1 });
        }}
      />
    ),
  };
}
