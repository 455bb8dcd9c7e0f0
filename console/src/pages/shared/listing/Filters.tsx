import { lazy, Suspense } from "react";

import { Skeleton } from "../../../kit";
import type { FilterProps } from "./filterValues";
import "../tokens.css";

const FilterBar = lazy(() => import("./FilterBar"));

/**
 * Filters a listing by tokens, which are kept in the page's URL. Its code comes after that of the
 * page: the listing is read and shown meanwhile, filtered already.
 */
export function Filters(props: FilterProps) {
  return (
    <div className="tg-filter-place">
      <Suspense fallback={<Skeleton what="the filter" lines={1} />}>
        <FilterBar {...props} />
      </Suspense>
    </div>
  );
}
