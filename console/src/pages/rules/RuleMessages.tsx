import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import type { TableProps } from "@cloudscape-design/components/table";

import { Instant, ProblemAlert, readAll, RouteLink, Said, SameByCommand, type Schemas, useApi } from "../../kit";
import { ListedTable } from "../shared/listing/ListedTable";
import { State } from "../shared/State";
import { useListing } from "../shared/listing/useListing";
import { eventsOf, textsOf } from "./messageTexts";

type Message = Schemas["RuleMessage"];

/** 60 requests an hour while the page is in sight. */
const PERIOD_MS = 60_000;

const COLUMNS: TableProps.ColumnDefinition<Message>[] = [
  {
    id: "told",
    header: "Told",
    isRowHeader: true,
    minWidth: 150,
    cell: (each) => (
      <RouteLink to={`/runs/${each.notification_id}`}>
        <Instant at={each.told_at} />
      </RouteLink>
    ),
  },
  { id: "what", header: "What", minWidth: 260, cell: (each) => <Texts texts={textsOf(each.message)} /> },
  {
    id: "whom",
    header: "Whom",
    minWidth: 200,
    cell: (each) => (
      <Said>
        {each.channel === null ? "a channel that it tells no more" : `${each.channel.type} ${each.channel.address}`}
      </Said>
    ),
  },
  { id: "state", header: "Delivery", minWidth: 160, cell: (each) => <State state={each.state} reason={each.reason} /> },
  { id: "attempt", header: "Attempts", cell: (each) => each.attempt },
  { id: "error", header: "Error", minWidth: 160, cell: (each) => each.error?.message ?? "–" },
];

/** Lists what a rule told whom, and what waits for the end of its quiet hours. */
export function RuleMessages({ name }: { name: string }) {
  const api = useApi();
  const listing = useListing(
    ["rule", name, "messages"],
    (cursor) =>
      readAll(
        api.GET("/v1/notification-rules/{rule}/messages", {
          params: { path: { rule: name }, query: cursor === null ? {} : { cursor } },
        }),
      ),
    PERIOD_MS,
  );
  return (
    <SpaceBetween size="s">
      {listing.problem !== null && <ProblemAlert problem={listing.problem} />}
      {listing.first !== undefined && <Held held={listing.first.held} />}
      <ListedTable
        wrapLines
        trackBy="notification_id"
        columnDefinitions={COLUMNS}
        listing={listing}
        what="messages"
        ariaLabels={{ tableLabel: "Messages" }}
        header={
          <Header variant="h2" description="Each is a run of its own, with its tries; the last one first.">
            What it told
          </Header>
        }
        empty={<Box color="text-body-secondary">It has told nothing yet.</Box>}
      />
      <SameByCommand
        cli={`timegate rules messages ${name}`}
        api={`GET /v1/notification-rules/${name}/messages`}
      />
    </SpaceBetween>
  );
}

function Held({ held }: { held: Schemas["HeldRuleEvents"] }) {
  const texts = eventsOf(held.events);
  if (texts.length === 0) return null;
  return (
    <Alert type="info" header={`${texts.length + held.more} wait for the end of quiet hours`}>
      <Texts texts={texts} />
    </Alert>
  );
}

function Texts({ texts }: { texts: readonly string[] }) {
  return (
    <>
      {texts.map((text, index) => (
        <div key={`${index} ${text}`} className="tg-said">
          {text}
        </div>
      ))}
    </>
  );
}
