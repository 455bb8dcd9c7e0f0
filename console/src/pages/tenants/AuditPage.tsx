import Box from "@cloudscape-design/components/box";
import type { TableProps } from "@cloudscape-design/components/table";

import {
  Instant,
  readAll,
  RouteLink,
  type Schemas,
  useApi,
  useMay,
  useNow,
  useSearch,
} from "../../kit";
import { Filters } from "../shared/listing/Filters";
import { type FilterField, filterValues } from "../shared/listing/filterValues";
import { ListingPage } from "../shared/listing/ListingPage";
import { command, request } from "../shared/quoting";
import { Since, sinceInstant, sinceOf } from "../shared/Since";
import { useListing } from "../shared/listing/useListing";
import { placeElsewhere, placeOf } from "./audit";
import { Actor, Changes } from "./AuditCells";

type Entry = Schemas["AuditRecord"];

const FIELDS: readonly FilterField[] = [
  { name: "actor", label: "Actor" },
  { name: "resource", label: "Resource (job/ID)" },
];
const ADMIN_FIELDS: readonly FilterField[] = [...FIELDS, { name: "tenant", label: "Tenant" }];

/** Columns of one's own trail, or of another tenant's, whose jobs and runs have no page here. */
const columnsOf = (tenant: string | null): TableProps.ColumnDefinition<Entry>[] => [
  {
    id: "at",
    header: "At",
    isRowHeader: true,
    minWidth: 150,
    cell: (entry) => <Instant at={entry.at} />,
  },
  { id: "actor", header: "Actor", minWidth: 160, cell: (entry) => <Actor entry={entry} /> },
  { id: "operation", header: "Operation", minWidth: 130, cell: (entry) => entry.operation },
  { id: "resource", header: "Resource", minWidth: 200, cell: (entry) => <Resource entry={entry} tenant={tenant} /> },
  { id: "changes", header: "Changes", minWidth: 260, cell: (entry) => <Changes entry={entry} /> },
  { id: "request", header: "Request id", minWidth: 150, cell: (entry) => entry.request_id },
];

export default function AuditTrailPage() {
  const [search] = useSearch();
  const now = useNow(60_000);
  const may = useMay("admin");
  const since = sinceOf(search, "7d");
  const tenant = may.allowed ? (filterValues(search, "tenant")[0] ?? null) : null;
  const actor = filterValues(search, "actor")[0];
  const resource = filterValues(search, "resource")[0];
  const queryAt = (at: number) => {
    const from = sinceInstant(since, at);
    return {
      ...(actor === undefined ? {} : { actor }),
      ...(resource === undefined ? {} : { resource }),
      ...(from === null ? {} : { since: from }),
    };
  };
  const query = queryAt(now);
  const api = useApi();
  const listing = useListing(["audit", search.toString()], (cursor, begun) => {
    const params = { query: { ...queryAt(begun), ...(cursor === null ? {} : { cursor }) } };
    return tenant === null
      ? readAll(api.GET("/v1/audit", { params }))
      : readAll(
          api.GET("/v1/tenants/{tenant}/audit", { params: { ...params, path: { tenant } } }),
        );
  });
  const path = tenant === null ? "/v1/audit" : `/v1/tenants/${encodeURIComponent(tenant)}/audit`;
  return (
    <ListingPage
      title="Audit trail"
      path="/audit"
      description="Who changed what, when, and what it was before. One entry for each change that was asked for."
      what="changes"
      listing={listing}
      columns={columnsOf(tenant)}
      filter={
        <div className="tg-filters">
          <Filters
            fields={may.allowed ? ADMIN_FIELDS : FIELDS}
            placeholder="Filter the audit trail"
          />
          <Since fallback="7d" />
        </div>
      }
      empty={<Box color="text-body-secondary">No change matches in this time.</Box>}
      cli={command("audit", [
        ["--tenant", tenant],
        ["--actor", actor],
        ["--resource", resource],
        ["--since", query.since],
      ])}
      api={request("GET", path, query)}
    />
  );
}

function Resource({ entry: { resource, version }, tenant }: { entry: Entry; tenant: string | null }) {
  const { kind, id } = resource;
  const place = tenant === null ? placeOf(kind, id) : placeElsewhere(kind, id, tenant);
  const words = `${kind.replaceAll("_", " ")} ${id}`;
  return (
    <>
      {place === null ? words : <RouteLink to={place}>{words}</RouteLink>}
      {version !== null && (
        <Box fontSize="body-s" color="text-body-secondary">
          version {version}
        </Box>
      )}
    </>
  );
}
