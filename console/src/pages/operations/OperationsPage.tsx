import Box from "@cloudscape-design/components/box";
import type { TableProps } from "@cloudscape-design/components/table";

import {
  Instant,
  readAll,
  RouteLink,
  type Schemas,
  useApi,
  useSearch,
} from "../../kit";
import { Filters } from "../shared/listing/Filters";
import { type FilterField, filterValues } from "../shared/listing/filterValues";
import { ListingPage } from "../shared/listing/ListingPage";
import { command, request } from "../shared/quoting";
import { State } from "../shared/State";
import { knownWords } from "../shared/stateWords";
import { useListing } from "../shared/listing/useListing";
import { countsWords, subjectWords } from "./operationWords";

type Operation = Schemas["Operation"];

const FIELDS: readonly FilterField[] = [
  {
    name: "kind",
    label: "Kind",
    values: ["pause", "resume", "cancel", "backfill", "redrive", "discard", "cancel_runs", "reschedule_runs"],
  },
  { name: "status", label: "Status", values: ["running", "succeeded", "failed", "cancelled"] },
];

/** The first page is read every 15 seconds while the page is in sight: 240 requests an hour. */
const PERIOD_MS = 15_000;

const COLUMNS: TableProps.ColumnDefinition<Operation>[] = [
  {
    id: "kind",
    header: "Operation",
    isRowHeader: true,
    minWidth: 120,
    cell: (each) => <RouteLink to={`/operations/${each.operation_id}`}>{knownWords({}, each.kind)}</RouteLink>,
  },
  {
    id: "status",
    header: "Status",
    minWidth: 130,
    cell: (each) => <State state={each.status} reason={each.stalled ? "stalled" : null} />,
  },
  { id: "subject", header: "Meant", minWidth: 200, cell: subjectWords },
  { id: "counts", header: "Done", minWidth: 160, cell: countsWords },
  { id: "by", header: "By", minWidth: 120, cell: (each) => each.created_by },
  {
    id: "created",
    header: "Began",
    minWidth: 150,
    cell: (each) => <Instant at={each.created_at} />,
  },
  {
    id: "ended",
    header: "Ended",
    minWidth: 150,
    cell: (each) => (each.ended_at === null ? "–" : <Instant at={each.ended_at} />),
  },
];

export default function OperationsPage() {
  const [search] = useSearch();
  const api = useApi();
  const kind = filterValues(search, "kind")[0] as Schemas["OperationKind"] | undefined;
  const status = filterValues(search, "status")[0] as Schemas["OperationStatus"] | undefined;
  const query = {
    ...(kind === undefined ? {} : { kind }),
    ...(status === undefined ? {} : { status }),
  };
  const listing = useListing(
    ["operations", kind ?? "", status ?? ""],
    (cursor) =>
      readAll(
        api.GET("/v1/operations", {
          params: { query: { ...query, ...(cursor === null ? {} : { cursor }) } },
        }),
      ),
    PERIOD_MS,
  );
  return (
    <ListingPage
      title="Operations"
      path="/operations"
      description="Long work on many jobs, or on the past of one, and how far it came."
      what="operations"
      listing={listing}
      columns={COLUMNS}
      trackBy="operation_id"
      filter={<Filters fields={FIELDS} placeholder="Filter operations" />}
      empty={
        <Box color="text-body-secondary">
          No operation. A bulk change of jobs, a backfill, or a redrive of many begins one.
        </Box>
      }
      cli={command("operations list", [
        ["--kind", kind],
        ["--status", status],
      ])}
      api={request("GET", "/v1/operations", query)}
    />
  );
}
