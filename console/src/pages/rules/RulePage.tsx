import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { useState } from "react";

import {
  Instant,
  Live,
  Page,
  readAll,
  SameByCommand,
  type Schemas,
  useAct,
  useApi,
  useGo,
  useLive,
  useMay,
  useRouteParam,
} from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { channelOf } from "../shared/channelWords";
import { command, request } from "../shared/quoting";
import { Enabled } from "./Enabled";
import { RuleMessages } from "./RuleMessages";
import { ruleBodyOf } from "./ruleContract";
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
      <SameByCommand cli={`timegate rules get ${name}`} api={`GET /v1/notification-rules/${name}`} />
    </Page>
  );
}

function Shown({ rule, onChange }: { rule: Rule; onChange: () => void }) {
  return (
    <SpaceBetween size="l">
      <Header variant="h1" description={rule.description} actions={<Actions rule={rule} onChange={onChange} />}>
        {rule.name}
      </Header>
      <Container header={<Header variant="h2">What it tells</Header>}>
        <KeyValuePairs
          columns={3}
          items={[
            { label: "Status", value: <Enabled rule={rule} /> },
            { label: "Jobs", value: <span className="tg-said">{jobsOf(rule)}</span> },
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

type Asked = "turn" | "delete";

function Actions({ rule, onChange }: { rule: Rule; onChange: () => void }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const go = useGo();
  const may = useMay("write");
  const close = (): void => {
    setAsked(null);
  };
  const buttons: [string, () => void][] = [
    [rule.enabled ? "Turn off" : "Turn on", () => { setAsked("turn"); }],
    ["Delete", () => { setAsked("delete"); }],
    ["Edit", () => { go(`/rules/${rule.name}/edit`); }],
  ];
  return (
    <>
      <SpaceBetween direction="horizontal" size="xs">
        {buttons.map(([text, onClick]) => (
          <Button key={text} disabled={!may.allowed} disabledReason={may.why ?? ""} onClick={onClick}>
            {text}
          </Button>
        ))}
      </SpaceBetween>
      {asked === "turn" && (
        <TurnRule
          rule={rule}
          onDismiss={close}
          onDone={() => {
            close();
            onChange();
          }}
        />
      )}
      {asked === "delete" && <DeleteRule rule={rule} onDismiss={close} />}
    </>
  );
}

interface AskedProps {
  rule: Rule;
  onDismiss: () => void;
}

function TurnRule({ rule, onDismiss, onDone }: AskedProps & { onDone: () => void }) {
  const api = useApi();
  const body = { ...ruleBodyOf(rule), enabled: !rule.enabled } as unknown as Schemas["RuleBody"];
  const params = { path: { rule: rule.name }, header: { "If-Match": `"${rule.version}"` } };
  const turn = useAct(() => readAll(api.PUT("/v1/notification-rules/{rule}", { params, body })), onDone);
  const verb = rule.enabled ? "Turn off" : "Turn on";
  return (
    <ActionModal
      title={`${verb} this rule?`}
      verb={`${verb} the rule`}
      isRunning={turn.isRunning}
      problem={turn.problem}
      onConfirm={turn.act}
      onDismiss={onDismiss}
      cli={command(`rules put ${rule.name}`, [
        ["--file", "rule.json"],
        ["--if-version", String(rule.version)],
      ])}
      api={`${request("PUT", `/v1/notification-rules/${rule.name}`)}\n\n${JSON.stringify(body, null, 2)}`}
    >
      <Box variant="p">
        {rule.enabled
          ? "It is kept, and tells of nothing. Runs that end meanwhile are none of its."
          : "It tells of what happens from now on."}
      </Box>
    </ActionModal>
  );
}

function DeleteRule({ rule, onDismiss }: AskedProps) {
  const api = useApi();
  const go = useGo();
  const params = { path: { rule: rule.name }, header: { "If-Match": `"${rule.version}"` } };
  const remove = useAct(
    () => readAll(api.DELETE("/v1/notification-rules/{rule}", { params })),
    () => {
      go("/rules");
    },
    ["rule", rule.name],
  );
  return (
    <ActionModal
      title="Delete this rule?"
      verb="Delete the rule"
      isRunning={remove.isRunning}
      problem={remove.problem}
      onConfirm={remove.act}
      onDismiss={onDismiss}
      cli={command(`rules delete ${rule.name}`, [["--if-version", String(rule.version)]])}
      api={request("DELETE", `/v1/notification-rules/${rule.name}`)}
    >
      <Box variant="p">It tells of nothing any more. Messages that it made are still delivered.</Box>
    </ActionModal>
  );
}
