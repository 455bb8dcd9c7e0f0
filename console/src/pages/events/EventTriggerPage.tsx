import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import SpaceBetween from "@cloudscape-design/components/space-between";

import {
  Instant,
  Live,
  Page,
  readAll,
  SameByCommand,
  type Schemas,
  useApi,
  useLive,
  useRouteParam,
} from "../../kit";
import { JsonText } from "../shared/json/JsonText";
import { command, request, shellWord } from "../shared/quoting";
import { State } from "../shared/State";
import { HookAddress } from "./HookAddress";
import { RecentMatches } from "./RecentMatches";
import { Starts } from "./Starts";
import { TriggerActions } from "./TriggerActions";
import { TryEvent } from "./TryEvent";

type Trigger = Schemas["EventTrigger"];

/** 60 requests an hour while the page is in sight. */
const PERIOD_MS = 60_000;

/** Shows one event trigger: its pattern, what it starts, the address of its web hook, and a try. */
export default function EventTriggerPage() {
  const api = useApi();
  const name = useRouteParam("event_trigger");
  const live = useLive({
    key: ["event-trigger", name],
    read: async () => {
      const params = { path: { event_trigger: name } };
      const answer = api.GET("/v1/event-triggers/{event_trigger}", { params });
      const trigger = await readAll(answer);
      const { url } = (await answer).response;
      return { trigger, apiUrl: url.slice(0, Math.max(0, url.indexOf("/v1/event-triggers/"))) };
    },
    everyMs: () => PERIOD_MS,
  });
  const crumbs = [
    { text: "Event triggers", href: "/event-triggers" },
    { text: name, href: `/event-triggers/${name}` },
  ];
  return (
    <Page title={`Event trigger ${name}`} crumbs={crumbs}>
      <Live live={live}>{(read) => <Shown {...read} onChange={live.refetch} />}</Live>
      <SameByCommand
        cli={command(`event-triggers get ${shellWord(name)}`)}
        api={request("GET", `/v1/event-triggers/${encodeURIComponent(name)}`)}
      />
    </Page>
  );
}

function Shown({ trigger, apiUrl, onChange }: { trigger: Trigger; apiUrl: string; onChange: () => void }) {
  const { name, status, starts, hook, version } = trigger;
  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        description={trigger.description}
        actions={<TriggerActions trigger={trigger} onChange={onChange} />}
      >
        {name} <State state={status} />
      </Header>
      <Container>
        <KeyValuePairs
          columns={3}
          items={[
            { label: "Starts", value: <Starts starts={starts} /> },
            { label: "Events", value: hook === null ? "the tenant's own" : "those of its web hook alone" },
            { label: "Version", value: version },
            { label: "Created", value: <Instant at={trigger.created_at} /> },
            { label: "Changed", value: <Instant at={trigger.updated_at} /> },
            ...Object.entries(trigger.tags).map(([tag, value]) => ({ label: `Tag ${tag}`, value })),
          ]}
        />
      </Container>
      {hook !== null && <HookAddress hook={hook} apiUrl={apiUrl} />}
      <Container header={<Header variant="h2">Pattern</Header>}>
        <JsonText label="the pattern" value={trigger.pattern} />
      </Container>
      <Container header={<Header variant="h2">What it sends on</Header>}>
        <JsonText label="what it sends on" value={starts} />
      </Container>
      <RecentMatches trigger={trigger} />
      <TryEvent trigger={trigger} />
    </SpaceBetween>
  );
}
