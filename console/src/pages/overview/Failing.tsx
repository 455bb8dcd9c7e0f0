import Box from "@cloudscape-design/components/box";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Table from "@cloudscape-design/components/table";
import Header from "@cloudscape-design/components/header";

import { Instant, RouteLink, Said, type Schemas } from "../../kit";
import { State } from "../shared/State";

type Overview = Schemas["Overview"];

/** Lists the runs that failed last, and the jobs that failures paused. */
export function Failing({ overview }: { overview: Overview }) {
  const { failing, paused_jobs: paused } = overview;
  return (
    <SpaceBetween size="l">
      <Table
        items={failing.latest}
        trackBy="run_id"
        wrapLines
        ariaLabels={{ tableLabel: "Runs that failed last" }}
        header={
          <Header variant="h2" actions={<RouteLink to="/runs">All failed runs</RouteLink>}>
            Failed last
          </Header>
        }
        empty={<Box textAlign="center">No run has failed within 24 hours.</Box>}
        columnDefinitions={[
          {
            id: "job",
            minWidth: 160,
            header: "Job",
            isRowHeader: true,
            cell: (run) => <RouteLink to={`/jobs/${run.job_id}`}>{run.job_name ?? run.job_id}</RouteLink>,
          },
          { id: "state", minWidth: 150, header: "State", cell: (run) => <State state={run.state} reason={run.reason} /> },
          { id: "error", minWidth: 220, header: "Error", cell: (run) => <Said>{run.error?.message ?? run.explanation}</Said> },
          {
            id: "run",
            minWidth: 170,
            header: "Instant",
            cell: (run) => (
              <RouteLink to={`/runs/${run.run_id}`}>
                <Instant at={run.scheduled_at} />
              </RouteLink>
            ),
          },
          {
            id: "ended",
            minWidth: 120,
            header: "Ended",
            cell: (run) => (run.ended_at === null ? "–" : <Instant at={run.ended_at} relative />),
          },
        ]}
      />
      {paused.length > 0 && (
        <Table
          items={paused}
          trackBy="job_id"
          ariaLabels={{ tableLabel: "Jobs that failures paused" }}
          header={<Header variant="h2">Paused by failures</Header>}
          columnDefinitions={[
            {
              id: "name",
              header: "Job",
              isRowHeader: true,
              cell: (job) => <RouteLink to={`/jobs/${job.job_id}`}>{job.name}</RouteLink>,
            },
            { id: "failures", header: "Failed runs in a row", cell: (job) => job.failures.toLocaleString("en") },
            { id: "at", header: "Paused", cell: (job) => <Instant at={job.at} relative /> },
            {
              id: "run",
              header: "Last run",
              cell: (job) => <RouteLink to={`/runs/${job.run_id}`} label={`Open the last run of ${job.name}`}>Open</RouteLink>,
            },
          ]}
        />
      )}
    </SpaceBetween>
  );
}
