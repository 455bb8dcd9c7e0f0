import PropertyFilter, {
  type PropertyFilterProps,
} from "@cloudscape-design/components/property-filter";

import { useSearch } from "../../../kit";
import { type FilterField, type FilterProps, filterValues } from "./filterValues";
import { filterWords } from "./filterWords";

/** Filters a listing by tokens, which are kept in the page's URL. */
export default function FilterBar({ fields, placeholder, count }: FilterProps) {
  const [search, setSearch] = useSearch();
  const tokens = fields.flatMap(({ name }) =>
    filterValues(search, name).map((value) => ({ propertyKey: name, operator: "=", value })),
  );
  const onChange: PropertyFilterProps["onChange"] = ({ detail }) => {
    setSearch(changesOf(fields, detail.tokens));
  };
  return (
    <PropertyFilter
      hideOperations
      query={{ tokens, operation: "and" }}
      onChange={onChange}
      filteringPlaceholder={placeholder}
      filteringAriaLabel={placeholder}
      countText={count === undefined ? "" : `${count.toLocaleString("en")} shown`}
      disableFreeTextFiltering
      filteringProperties={fields.map(({ name, label }) => ({
        key: name,
        propertyLabel: label,
        groupValuesLabel: label,
        operators: ["="],
      }))}
      filteringOptions={fields.flatMap(({ name, values }) =>
        (values ?? []).map((value) => ({ propertyKey: name, value })),
      )}
      i18nStrings={filterWords}
    />
  );
}

/** The last token of a field that takes one value wins. */
function changesOf(
  fields: readonly FilterField[],
  tokens: readonly PropertyFilterProps.Token[],
): Record<string, string | string[] | null> {
  return Object.fromEntries(
    fields.map(({ name, many }) => {
      const values = tokens
        .filter(({ propertyKey }) => propertyKey === name)
        .map(({ value }) => String(value).trim())
        .filter((value) => value !== "");
      const kept = many === true ? [...new Set(values)] : values.slice(-1);
      return [name, kept.length === 0 ? null : kept];
    }),
  );
}
