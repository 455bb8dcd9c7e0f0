export interface FilterField {
  /** Name of the query parameter, in the console's URL as in the API's. */
  name: string;
  label: string;
  /** Values to choose from; others can be typed unless `closed`. */
  values?: readonly string[];
  /** May be given more than once. */
  many?: boolean;
}

export interface FilterProps {
  fields: readonly FilterField[];
  placeholder: string;
  count?: number;
}

/** Returns the values of a filter in the page's URL. */
export function filterValues(search: URLSearchParams, name: string): string[] {
  return search.getAll(name).filter((value) => value !== "");
}
