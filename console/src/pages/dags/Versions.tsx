import Select from "@cloudscape-design/components/select";

import { localTime, readAll, type Schemas, useApi, useSearch } from "../../kit";
import { ListFooter } from "../shared/listing/ListFooter";
import { useListing } from "../shared/listing/useListing";

type Dag = Schemas["Dag"];

/** Chooses one of the versions of a DAG, the latest first; the choice of a page is read with the next one. */
export function Versions({ current, version }: { current: Dag; version: number }) {
  const [, setSearch] = useSearch();
  const api = useApi();
  const listing = useListing(
    ["dag-versions", current.dag_id],
    (cursor) => {
      const query = { limit: 100, ...(cursor === null ? {} : { cursor }) };
      return readAll(api.GET("/v1/dags/{dag_id}/versions", { params: { path: { dag_id: current.dag_id }, query } }));
    },
    false,
  );
  const found = listing.items.length === 0 ? [current] : listing.items;
  const options = found.map((each) => ({
    value: String(each.version),
    label: `Version ${each.version}`,
    description: `${localTime(each.updated_at, false)}, ${each.task_count} tasks`,
  }));
  const chosen = { value: String(version), label: `Version ${version}` };
  return (
    <div className="tg-narrow">
      <Select
        ariaLabel="Version"
        options={options}
        selectedOption={options.find(({ value }) => value === chosen.value) ?? chosen}
        onChange={({ detail }) => {
          setSearch({ version: detail.selectedOption.value ?? null });
        }}
      />
      {listing.readMore !== null && <ListFooter listing={listing} what="versions" />}
    </div>
  );
}
