import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";
import type { ReactNode } from "react";

import { useSearch } from "../../kit";
import { Filters } from "../shared/listing/Filters";
import type { FilterField } from "../shared/listing/filterValues";
import { Since } from "../shared/Since";

/** Narrows a list of runs, and says since when it looks. */
export function RunFilters({ fields, placeholder }: { fields: readonly FilterField[]; placeholder: string }) {
  return (
    <div className="tg-filters">
      <Filters fields={fields} placeholder={placeholder} />
      <Since />
    </div>
  );
}

interface Props {
  fields: readonly FilterField[];
  /** Says that the filters leave nothing. */
  unmatched: string;
  /** Stands where there is nothing without any filter. */
  children: ReactNode;
}

/** Stands in place of an empty list of runs. */
export function NoRuns({ fields, unmatched, children }: Props) {
  const [search, setSearch] = useSearch();
  if (!fields.some(({ name }) => search.has(name))) return children;
  return (
    <SpaceBetween size="s" alignItems="center">
      <Box variant="strong">{unmatched}</Box>
      <Button
        onClick={() => {
          setSearch(Object.fromEntries(fields.map(({ name }) => [name, null])));
        }}
      >
        Clear filters
      </Button>
    </SpaceBetween>
  );
}
