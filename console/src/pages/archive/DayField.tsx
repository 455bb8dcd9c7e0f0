import DateInput from "@cloudscape-design/components/date-input";
import FormField from "@cloudscape-design/components/form-field";
import { useState } from "react";

import { useSearch } from "../../kit";
import { isDay } from "../shared/instants";

/** Returns a day of the page's URL; null: none is written. */
export function dayOf(search: URLSearchParams, name: string): string | null {
  const day = search.get(name);
  return day !== null && isDay(day) ? day : null;
}

/** A day of the page's URL, by keys: it is asked for once it is whole. */
export function DayField({ name, label }: { name: "from" | "to"; label: string }) {
  const [search, setSearch] = useSearch();
  const given = dayOf(search, name) ?? "";
  const [{ written, of }, setDraft] = useState({ written: given, of: given });
  return (
    <FormField label={label}>
      <DateInput
        // Filters may be cleared elsewhere.
        value={of === given ? written : given}
        placeholder="YYYY/MM/DD"
        onChange={({ detail: { value } }) => {
          // A day that is half written asks for nothing: the list stays that of the last one.
          const day = value === "" || isDay(value) ? value : given;
          setDraft({ written: value, of: day });
          if (day !== given) setSearch({ [name]: day });
        }}
      />
    </FormField>
  );
}
