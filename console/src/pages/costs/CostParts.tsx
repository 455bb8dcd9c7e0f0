import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Header from "@cloudscape-design/components/header";
import Table from "@cloudscape-design/components/table";

import { RouteLink, Said, type Schemas } from "../../kit";
import { type CostPart, partsOf } from "./costWords";
import { Share } from "./Share";

interface Props {
  report: Schemas["CostReport"];
  /** One job was asked for: nothing else is shown. */
  onlyJob: boolean;
  /** Pages of one's own jobs; the administration of the stage opens none of another tenant. */
  isOwn: boolean;
  /** Reads as many jobs as the API shows; null: they are all shown. */
  onMore: (() => void) | null;
}

const number = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 0 });

/** Lists jobs by their costs, the dearest first, and what no job shows; the sum is the whole. */
export function CostParts({ report, onlyJob, isOwn, onMore }: Props) {
  return (
    <Table
      items={partsOf(report, onlyJob)}
      trackBy="id"
      wrapLines
      ariaLabels={{ tableLabel: "Costs by job" }}
      header={
        <Header variant="h2" description="Shares are those of the tenant's month.">
          By job
        </Header>
      }
      empty={<Box color="text-body-secondary">No run of this month has been counted.</Box>}
      footer={
        onMore !== null && (
          <Box textAlign="center">
            <Button onClick={onMore}>Show more jobs</Button>
          </Box>
        )
      }
      columnDefinitions={[
        { id: "name", header: "Job", isRowHeader: true, minWidth: 180, cell: (part) => <Named part={part} isOwn={isOwn} /> },
        { id: "usd", header: "US dollars", minWidth: 220, cell: ({ usd }) => <Share usd={usd} whole={report.whole.usd} /> },
        { id: "runs", header: "Runs", minWidth: 100, cell: ({ runs }) => number(runs) },
        { id: "attempts", header: "Attempts", minWidth: 100, cell: ({ attempts }) => number(attempts) },
        { id: "target", header: "Waited for targets (s)", minWidth: 120, cell: ({ targetSeconds }) => number(targetSeconds) },
      ]}
    />
  );
}

function Named({ part: { jobId, name }, isOwn }: { part: CostPart; isOwn: boolean }) {
  if (jobId === null || !isOwn) return <Said>{name}</Said>;
  return <RouteLink to={`/jobs/${jobId}`}>{name}</RouteLink>;
}
