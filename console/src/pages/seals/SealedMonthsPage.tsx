import Box from "@cloudscape-design/components/box";
import SpaceBetween from "@cloudscape-design/components/space-between";
import type { TableProps } from "@cloudscape-design/components/table";

import { readAll, RouteLink, type Schemas, useApi } from "../../kit";
import { ListingPage } from "../shared/listing/ListingPage";
import { useListing } from "../shared/listing/useListing";
import { command, request } from "../shared/quoting";

type Row = Schemas["SealedMonthRow"];

const COLUMNS: TableProps.ColumnDefinition<Row>[] = [
  {
    id: "month",
    header: "Month (UTC)",
    isRowHeader: true,
    cell: ({ month }) => <RouteLink to={`/seals/${encodeURIComponent(month)}`}>{month}</RouteLink>,
  },
];

/** Lists the months of the tenant that are sealed and signed. */
export default function SealedMonthsPage() {
  const api = useApi();
  // A read counts as five requests, and a month is sealed once: nothing is read again by itself.
  const listing = useListing<Row>(
    ["sealed-months"],
    (cursor) =>
      readAll(api.GET("/v1/archive/seals", { params: { query: cursor === null ? {} : { cursor } } })),
    false,
    1,
  );
  return (
    <ListingPage
      title="Sealed months"
      path="/seals"
      description="Months of the archive whose files are named by a signed seal, the latest first. Each seal names the one before."
      what="sealed months"
      listing={listing}
      columns={COLUMNS}
      trackBy="month"
      empty={<Nothing />}
      cli={command("ledger months")}
      api={request("GET", "/v1/archive/seals")}
    />
  );
}

function Nothing() {
  return (
    <SpaceBetween size="xs" alignItems="center">
      <Box variant="strong">No month is sealed yet</Box>
      <Box color="text-body-secondary">
        A month is sealed one to eight days after its end, where the stage is deployed with seals.
      </Box>
    </SpaceBetween>
  );
}
