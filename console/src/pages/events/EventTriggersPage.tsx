import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";
import type { TableProps } from "@cloudscape-design/components/table";

import { Instant, readAll, RouteLink, type Schemas, useApi, useGo, useMay } from "../../kit";
import { plainJson } from "../shared/json/plainJson";
import { ListingPage } from "../shared/listing/ListingPage";
import { State } from "../shared/State";
import { useListing } from "../shared/listing/useListing";
import { Starts } from "./Starts";

type Trigger = Schemas["EventTrigger"];

/** 60 requests an hour while the page is in sight. */
const PERIOD_MS = 60_000;

const COLUMNS: TableProps.ColumnDefinition<Trigger>[] = [
  {
    id: "name",
    header: "Name",
    isRowHeader: true,
    minWidth: 150,
    cell: (each) => <RouteLink to={`/event-triggers/${each.name}`}>{each.name}</RouteLink>,
  },
  { id: "status", header: "Status", minWidth: 110, cell: (each) => <State state={each.status} /> },
  {
    id: "from",
    header: "Events",
    minWidth: 150,
    cell: (each) => (each.hook === null ? "the tenant's own" : `its web hook (${each.hook.scheme})`),
  },
  {
    id: "pattern",
    header: "Pattern",
    minWidth: 220,
    cell: (each) => <code className="tg-said">{plainJson(each.pattern)}</code>,
  },
  { id: "starts", header: "Starts", minWidth: 180, cell: (each) => <Starts starts={each.starts} /> },
  { id: "changed", header: "Changed", minWidth: 150, cell: (each) => <Instant at={each.updated_at} /> },
];

/** Lists the event triggers of the tenant. */
export default function EventTriggersPage() {
  const api = useApi();
  const go = useGo();
  const write = useMay("write");
  const send = useMay("send");
  const listing = useListing(
    ["event-triggers"],
    (cursor) => readAll(api.GET("/v1/event-triggers", { params: { query: cursor === null ? {} : { cursor } } })),
    PERIOD_MS,
  );
  return (
    <ListingPage
      title="Event triggers"
      path="/event-triggers"
      description="Patterns over events and web hooks, and the job or DAG that a matching event starts."
      what="event triggers"
      listing={listing}
      columns={COLUMNS}
      trackBy="name"
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button
            disabled={!send.allowed}
            disabledReason={send.why ?? ""}
            onClick={() => {
              go("/event-triggers/+send");
            }}
          >
            Send an event
          </Button>
          <Button
            variant="primary"
            disabled={!write.allowed}
            disabledReason={write.why ?? ""}
            onClick={() => {
              go("/event-triggers/+new");
            }}
          >
            Create a trigger
          </Button>
        </SpaceBetween>
      }
      empty={
        <SpaceBetween size="xs" alignItems="center">
          <Box variant="strong">No event trigger yet</Box>
          <Box color="text-body-secondary">Let an event trigger a job:</Box>
          <Box variant="code">{`timegate event-triggers put paid --pattern '{"type": ["order.paid"]}' --job key:invoice`}</Box>
        </SpaceBetween>
      }
      cli="timegate event-triggers list"
      api="GET /v1/event-triggers"
    />
  );
}
