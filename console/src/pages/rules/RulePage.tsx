import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import SpaceBetween from "@cloudscape-design/components/space-between";

import {
  Instant,
  Live,
  Page,
  readAll,
  Said,
  SameByCommand,
  type Schemas,
  useApi,
  useLive,
  useRouteParam,
} from "../../kit";
import { channelOf } from "../shared/channelWords";
import { command, request, shellWord } from "../shared/quoting";
import { Enabled } from "./Enabled";
import { RuleActions } from "./RuleActions";
import { RuleMessages } from "./RuleMessages";
import { conditionsOf, jobsOf, quietOf } from "./ruleWords";

type Rule = Schemas["NotificationRule"];

/** 60 requests an hour while the page is in sight. */
const PERIOD_MS = 60_000;

/** Shows one notification rule, and turns it on, off or deletes it. */
export default function RulePage() {
  const api = useApi();
  const name = useRouteParam("rule");
  const live = useLive({
    key: ["rule", name],
    read: () => readAll(api.GET("/v1/notification-rules/{rule}", { params: { path: { rule: name } } })),
    everyMs: () => PERIOD_MS,
  });
  const crumbs = [
    { text: "Notification rules", href: "/rules" },
    { text: name, href: `/rules/${name}` },
  ];
  return (
    <Page title={`Notification rule ${name}`} crumbs={crumbs}>
      <Live live={live}>{(rule) => <Shown rule={rule} onChange={live.refetch} />}</Live>
      <SameByCommand
        cli={command(`rules get ${shellWord(name)}`)}
        api={request("GET", `/v1/notification-rules/${encodeURIComponent(name)}`)}
      />
    </Page>
  );
}

function Shown({ rule, onChange }: { rule: Rule; onChange: () => void }) {
  return (
    <SpaceBetween size="l">
      <Header variant="h1" description={rule.description} actions={<RuleActions rule={rule} onChange={onChange} />}>
        {rule.name}
      </Header>
      <Container header={<Header variant="h2">What it tells</Header>}>
        <KeyValuePairs
          columns={3}
          items={[
            { label: "Status", value: <Enabled rule={rule} /> },
            { label: "Jobs", value: <Said>{jobsOf(rule)}</Said> },
            { label: "Tells when", value: <Lines lines={conditionsOf(rule)} /> },
            { label: "Tells", value: <Lines lines={rule.channels.map(channelOf)} /> },
            { label: "Quiet hours", value: quietOf(rule) },
            { label: "Version", value: rule.version },
            { label: "Created", value: <Instant at={rule.created_at} /> },
            { label: "Changed", value: <Instant at={rule.updated_at} /> },
          ]}
        />
      </Container>
      <RuleMessages name={rule.name} />
    </SpaceBetween>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <>
      {lines.map((line) => (
        <div key={line} className="tg-said">
          {line}
        </div>
      ))}
    </>
  );
}
