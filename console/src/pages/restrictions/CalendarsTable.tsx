import Box from "@cloudscape-design/components/box";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { Instant, ProblemAlert, readAll, RouteLink, useApi } from "../../kit";
import { ListedTable } from "../shared/listing/ListedTable";
import { useListing } from "../shared/listing/useListing";

/** 60 requests an hour while the page is in sight. */
const PERIOD_MS = 60_000;

/** Lists the calendars of the tenant. */
export function CalendarsTable() {
  const api = useApi();
  const listing = useListing(
    ["calendars"],
    (cursor) => readAll(api.GET("/v1/calendars", { params: { query: cursor === null ? {} : { cursor } } })),
    PERIOD_MS,
  );
  return (
    <SpaceBetween size="s">
      {listing.problem !== null && <ProblemAlert problem={listing.problem} />}
      <ListedTable
        variant="borderless"
        trackBy="name"
        wrapLines
        listing={listing}
        what="calendars"
        ariaLabels={{ tableLabel: "Calendars" }}
        empty={
          <SpaceBetween size="xs" alignItems="center">
            <Box variant="strong">No calendar yet</Box>
            <Box variant="code">timegate calendars put office --weekday sat --weekday sun</Box>
            <Box color="text-body-secondary">creates one that covers weekends.</Box>
          </SpaceBetween>
        }
        columnDefinitions={[
          {
            id: "name",
            header: "Name",
            isRowHeader: true,
            cell: (each) => <RouteLink to={`/calendars/${each.name}`}>{each.name}</RouteLink>,
          },
          { id: "zone", header: "Time zone", cell: (each) => each.timezone },
          { id: "entries", header: "Entries", cell: (each) => each.entries },
          { id: "version", header: "Version", cell: (each) => each.version },
          { id: "changed", header: "Changed", cell: (each) => <Instant at={each.updated_at} /> },
          { id: "description", header: "Description", cell: (each) => each.description || "–" },
        ]}
      />
    </SpaceBetween>
  );
}
