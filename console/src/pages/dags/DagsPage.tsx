import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";
import type { TableProps } from "@cloudscape-design/components/table";
import Toggle from "@cloudscape-design/components/toggle";

import {
  Instant,
  isolated,
  readAll,
  RouteLink,
  type Schemas,
  useApi,
  useGo,
  useMay,
  useSearch,
} from "../../kit";
import { ListingPage } from "../shared/listing/ListingPage";
import { command, request } from "../shared/quoting";
import { State } from "../shared/State";
import { useListing } from "../shared/listing/useListing";
import { sizeOf } from "./sizeOf";

type Row = Schemas["DagRow"];

/** 60 requests an hour while the page is in sight. */
const PERIOD_MS = 60_000;

const COLUMNS: TableProps.ColumnDefinition<Row>[] = [
  {
    id: "name",
    header: "Name",
    isRowHeader: true,
    minWidth: 180,
    cell: (dag) => <RouteLink to={`/dags/${dag.dag_id}`}>{dag.name}</RouteLink>,
  },
  { id: "status", header: "Status", cell: (dag) => <State state={dag.status} /> },
  { id: "version", header: "Version", cell: (dag) => dag.version },
  {
    id: "size",
    header: "Tasks and edges",
    cell: (dag) => sizeOf(dag),
  },
  {
    id: "tags",
    header: "Tags",
    minWidth: 140,
    cell: (dag) =>
      Object.entries(dag.tags)
        .map(([name, value]) => isolated(`${name}=${value}`))
        .join(", ") || "–",
  },
  {
    id: "updated",
    header: "Changed",
    minWidth: 150,
    cell: (dag) => <Instant at={dag.updated_at} />,
  },
  { id: "description", header: "Description", minWidth: 200, cell: (dag) => dag.description },
];

export default function DagsPage() {
  const [search, setSearch] = useSearch();
  const api = useApi();
  const go = useGo();
  const may = useMay("write");
  const status = search.get("status") === "deleted" ? "deleted" : "active";
  const listing = useListing(
    ["dags", status],
    (cursor) =>
      readAll(
        api.GET("/v1/dags", {
          params: { query: { status, ...(cursor === null ? {} : { cursor }) } },
        }),
      ),
    PERIOD_MS,
  );
  return (
    <ListingPage
      title="DAGs"
      path="/dags"
      description="Tasks and the edges between them, by version."
      what="DAGs"
      listing={listing}
      columns={COLUMNS}
      trackBy="dag_id"
      actions={
        <SpaceBetween direction="horizontal" size="s" alignItems="center">
          <Toggle
            checked={status === "deleted"}
            onChange={({ detail }) => {
              setSearch({ status: detail.checked ? "deleted" : null });
            }}
          >
            Deleted ones
          </Toggle>
          <Button
            variant="primary"
            disabled={!may.allowed}
            disabledReason={may.why ?? ""}
            onClick={() => {
              go("/dags/+new");
            }}
          >
            Create a DAG
          </Button>
        </SpaceBetween>
      }
      empty={
        status === "deleted" ? (
          <Box color="text-body-secondary">No DAG was deleted.</Box>
        ) : (
          <SpaceBetween size="xs" alignItems="center">
            <Box variant="strong">No DAG yet</Box>
            <Box variant="code">timegate dags create -f examples/dags/diamond.json</Box>
            <Box color="text-body-secondary">creates the first one.</Box>
          </SpaceBetween>
        )
      }
      cli={command("dags list", [["--status", status === "deleted" ? status : null]])}
      api={request("GET", "/v1/dags", { status })}
    />
  );
}
