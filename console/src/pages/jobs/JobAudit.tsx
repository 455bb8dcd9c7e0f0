import Box from "@cloudscape-design/components/box";
import SpaceBetween from "@cloudscape-design/components/space-between";
import type { TableProps } from "@cloudscape-design/components/table";

import { Instant, ProblemAlert, readAll, type Schemas, useApi } from "../../kit";
import { ListedTable } from "../shared/listing/ListedTable";
import { useListing } from "../shared/listing/useListing";
import { Actor, Changes } from "../tenants/AuditCells";

type Entry = Schemas["AuditPage"]["items"][number];

const COLUMNS: TableProps.ColumnDefinition<Entry>[] = [
  { id: "at", header: "When", isRowHeader: true, minWidth: 190, cell: ({ at }) => <Instant at={at} /> },
  { id: "who", header: "Who", minWidth: 160, cell: (entry) => <Actor entry={entry} /> },
  { id: "what", header: "Operation", minWidth: 140, cell: ({ operation }) => operation },
  { id: "version", header: "Version", minWidth: 90, cell: ({ version }) => version ?? "–" },
  { id: "changes", header: "Changes", minWidth: 320, cell: (entry) => <Changes entry={entry} /> },
];

/** Lists who changed a job, when, and what it was before. */
export default function JobAudit({ jobId }: { jobId: string }) {
  const api = useApi();
  const path = { job_id: jobId };
  const listing = useListing<Entry>(["audit", "job", jobId], (cursor) =>
    readAll(
      api.GET("/v1/jobs/{job_id}/audit", {
        params: { path, query: cursor === null ? {} : { cursor } },
      }),
    ),
  );
  return (
    <SpaceBetween size="l">
      {listing.problem !== null && <ProblemAlert problem={listing.problem} />}
      <ListedTable
        variant="embedded"
        wrapLines
        columnDefinitions={COLUMNS}
        listing={listing}
        what="changes"
        ariaLabels={{ tableLabel: "Changes" }}
        empty={<Box>No change is on record.</Box>}
      />
    </SpaceBetween>
  );
}
