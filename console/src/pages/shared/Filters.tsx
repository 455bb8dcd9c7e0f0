import StatusIndicator from "@cloudscape-design/components/status-indicator";
import { lazy, Suspense } from "react";

import type { FilterProps } from "./FilterBar";
import "./tokens.css";

const FilterBar = lazy(() => import("./FilterBar"));

export interface FilterField {
  /** Name of the query parameter, in the console's URL as in the API's. */
  name: string;
  label: string;
  /** Values to choose from; others can be typed unless `closed`. */
  values?: readonly string[];
  /** May be given more than once. */
  many?: boolean;
}

/** Returns the values of a filter in the page's URL. */
export function filterValues(search: URLSearchParams, name: string): string[] {
  return search.getAll(name).filter((value) => value !== "");
}

/**
 * Filters a listing by tokens, which are kept in the page's URL. Its code comes after that of the
 * page: the listing is read and shown meanwhile, filtered already.
 */
export function Filters(props: FilterProps) {
  return (
    <div className="tg-filter-place">
      <Suspense fallback={<StatusIndicator type="loading">Reading the filter</StatusIndicator>}>
        <FilterBar {...props} />
      </Suspense>
    </div>
  );
}
