import Box from "@cloudscape-design/components/box";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Table from "@cloudscape-design/components/table";

import { Instant, Live, readAll, RouteLink, type Schemas, useApi, useLive } from "../../kit";
import { State } from "../shared/State";

type Run = Schemas["Run"];

/** Deliveries go on after the end of the run: 60 requests an hour while they are in sight. */
const PERIOD_MS = 60_000;

/** Shows the runs that the ends of a run triggered, and what hooks were told of it. */
export function WhatFollowed({ run }: { run: Run }) {
  const api = useApi();
  const path = { run_id: run.run_id };
  const live = useLive({
    key: ["notifications", run.run_id, run.state, run.attempt],
    read: () => readAll(api.GET("/v1/runs/{run_id}/notifications", { params: { path } })),
    everyMs: () => PERIOD_MS,
  });
  return (
    <SpaceBetween size="l">
      <Table
        variant="embedded"
        trackBy="run_id"
        header={<Header variant="h3">Runs that followed</Header>}
        items={run.triggered}
        empty={<Box color="text-body-secondary">Its ends triggered no run.</Box>}
        columnDefinitions={[
          {
            id: "run",
            header: "Run",
            isRowHeader: true,
            cell: (each) => <RouteLink to={`/runs/${each.run_id}`}>{each.run_id}</RouteLink>,
          },
          { id: "attempt", header: "After attempt", cell: (each) => each.by_attempt },
          {
            id: "state",
            header: "State",
            cell: (each) => <State state={each.state} reason={each.reason} />,
          },
        ]}
      />
      <Live live={live}>
        {({ items }) => (
          <Table
            variant="embedded"
            trackBy="notification_id"
            header={<Header variant="h3">Notifications</Header>}
            items={items}
            empty={<Box color="text-body-secondary">No hook was told of it.</Box>}
            columnDefinitions={[
              {
                id: "on",
                header: "Occasion",
                isRowHeader: true,
                cell: (each) => (
                  <RouteLink to={`/runs/${each.notification_id}`}>
                    {each.on.replaceAll("_", " ")}, attempt {each.run_attempt}
                  </RouteLink>
                ),
              },
              {
                id: "channel",
                header: "Address",
                cell: (each) => each.channel?.address ?? "its job names it no more",
              },
              {
                id: "state",
                header: "State",
                cell: (each) => <State state={each.state} reason={each.reason} />,
              },
              { id: "due", header: "Due", cell: (each) => <Instant at={each.due_at} /> },
              {
                id: "error",
                header: "Error",
                cell: (each) => (each.error === null ? "–" : each.error.message),
              },
            ]}
          />
        )}
      </Live>
    </SpaceBetween>
  );
}
