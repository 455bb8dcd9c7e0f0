import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";
import type { TableProps } from "@cloudscape-design/components/table";

import { Instant, readAll, RouteLink, Said, type Schemas, useApi, useGo, useMay } from "../../kit";
import { channelOf } from "../shared/channelWords";
import { ListingPage } from "../shared/listing/ListingPage";
import { useListing } from "../shared/listing/useListing";
import { Enabled } from "./Enabled";
import { conditionsOf, jobsOf, quietOf } from "./ruleWords";

type Rule = Schemas["NotificationRule"];

/** 60 requests an hour while the page is in sight. */
const PERIOD_MS = 60_000;

const COLUMNS: TableProps.ColumnDefinition<Rule>[] = [
  {
    id: "name",
    header: "Name",
    isRowHeader: true,
    minWidth: 150,
    cell: (rule) => <RouteLink to={`/rules/${rule.name}`}>{rule.name}</RouteLink>,
  },
  {
    id: "enabled",
    header: "Status",
    minWidth: 100,
    cell: (rule) => <Enabled rule={rule} />,
  },
  { id: "jobs", header: "Jobs", minWidth: 160, cell: (rule) => <Said>{jobsOf(rule)}</Said> },
  { id: "when", header: "Tells when", minWidth: 220, cell: (rule) => conditionsOf(rule).join("; ") },
  {
    id: "channels",
    header: "Tells",
    minWidth: 220,
    cell: (rule) => <Said>{rule.channels.map(channelOf).join("\n")}</Said>,
  },
  { id: "quiet", header: "Quiet hours", minWidth: 140, cell: quietOf },
  { id: "changed", header: "Changed", minWidth: 150, cell: (rule) => <Instant at={rule.updated_at} /> },
];

/** Lists the notification rules of the tenant. */
export default function RulesPage() {
  const api = useApi();
  const go = useGo();
  const may = useMay("write");
  const listing = useListing(
    ["rules"],
    (cursor) => readAll(api.GET("/v1/notification-rules", { params: { query: cursor === null ? {} : { cursor } } })),
    PERIOD_MS,
  );
  return (
    <ListingPage
      title="Notification rules"
      path="/rules"
      description="Of which jobs whom is told what: failures in a row, absence, lateness, recovery."
      what="notification rules"
      listing={listing}
      columns={COLUMNS}
      trackBy="name"
      actions={
        <Button
          variant="primary"
          disabled={!may.allowed}
          disabledReason={may.why ?? ""}
          onClick={() => {
            go("/rules/+new");
          }}
        >
          Create a rule
        </Button>
      }
      empty={
        <SpaceBetween size="xs" alignItems="center">
          <Box variant="strong">No notification rule yet</Box>
          <Box color="text-body-secondary">Be told of three failures in a row of any job:</Box>
          <Box variant="code">timegate rules put failures --failures 3 --recovered --tell https://…</Box>
        </SpaceBetween>
      }
      cli="timegate rules list"
      api="GET /v1/notification-rules"
    />
  );
}
