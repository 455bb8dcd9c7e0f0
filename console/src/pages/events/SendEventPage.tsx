import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Container from "@cloudscape-design/components/container";
import FormField from "@cloudscape-design/components/form-field";
import Header from "@cloudscape-design/components/header";
import Input from "@cloudscape-design/components/input";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Table from "@cloudscape-design/components/table";

import {
  Page,
  ProblemAlert,
  readAll,
  RouteLink,
  Said,
  SameByCommand,
  type Schemas,
  useAct,
  useApi,
  useMay,
  useSearchText,
} from "../../kit";
import { useDraft } from "../form/edits/useDraft";
import { parseJson } from "../shared/json/parseJson";
import { JsonEditor } from "../shared/json/JsonEditor";
import { command, request, shellWord } from "../shared/quoting";

type Sent = Schemas["SentEvent"];

const CRUMBS = [
  { text: "Event triggers", href: "/event-triggers" },
  { text: "Send an event", href: "/event-triggers/+send" },
];

interface Typed {
  source: string;
  id: string;
  /** Data in JSON. */
  text: string;
}

/** An id is given anew by a button, and is no loss. */
const isTyped = (draft: Typed, first: Typed): boolean => draft.source !== first.source || draft.text !== first.text;

/** Sends one event by hand; `?type=` and `?key=` name what waits for it. */
export default function SendEventPage() {
  const api = useApi();
  const [type, setType] = useSearchText("type");
  const [key, setKey] = useSearchText("key");
  const may = useMay("send");
  const [draft, setDraft] = useDraft<Typed>("event", { source: "timegate-console", id: crypto.randomUUID(), text: "{}" }, isTyped);
  const { source, id, text } = draft;
  const edit = (changes: Partial<Typed>): void => {
    setDraft((was) => ({ ...was, ...changes }));
  };
  const data = parseJson(text);
  const event = {
    specversion: "1.0",
    id,
    source,
    type,
    ...(key === "" ? {} : { subject: key }),
    ...(data.ok ? { data: data.value } : {}),
  };
  const send = useAct(
    () => readAll(api.POST("/v1/events", { body: event as unknown as Schemas["EventsToSend"] })),
    () => undefined,
  );
  const isMissing = type === "" || source === "" || id === "" || !data.ok;
  const why = may.why ?? (isMissing ? "Give it a type, a source, an id and data in JSON." : null);
  const [sent] = send.answer?.items ?? [];
  return (
    <Page
      title="Send an event"
      crumbs={CRUMBS}
      heading
      description="A CloudEvent of the tenant: triggers that match it start, and tasks that wait for it end."
    >
      <Container header={<Header variant="h2">The event</Header>}>
        <SpaceBetween size="m">
          <Text label="Type" description="What happened." value={type} onChange={setType} />
          <Text
            label="Key"
            description="Its subject: tasks that wait for its type and key find it. Optional."
            value={key}
            onChange={setKey}
          />
          <Text label="Source" description="Its sender." value={source} onChange={(value) => { edit({ source: value }); }} />
          <Text
            label="Id"
            description="With the source: the event is received once, however often it is sent."
            value={id}
            onChange={(value) => { edit({ id: value }); }}
          />
          <JsonEditor label="Data" description="Any JSON: the event has up to 64 KB in all." text={text} rows={8} onChange={(value) => { edit({ text: value }); }} />
          <SpaceBetween direction="horizontal" size="xs">
            <Button
              variant="primary"
              loading={send.isRunning}
              disabled={why !== null}
              disabledReason={why ?? ""}
              onClick={send.act}
            >
              Send the event
            </Button>
            <Button
              onClick={() => {
                edit({ id: crypto.randomUUID() });
              }}
            >
              Give it another id
            </Button>
          </SpaceBetween>
          {send.problem !== null && <ProblemAlert problem={send.problem} isOfAction />}
        </SpaceBetween>
      </Container>
      {sent !== undefined && <Met sent={sent} />}
      <SameByCommand
        cli={command(`events send ${shellWord(type === "" ? "TYPE" : type)}`, [
          ["--key", key],
          ["--source", source],
          ["--id", id],
          ["--data", data.ok ? JSON.stringify(data.value) : null],
        ])}
        api={`${request("POST", "/v1/events")}\nContent-Type: application/cloudevents+json\n\n${JSON.stringify(event, null, 2)}`}
      />
    </Page>
  );
}

interface TextProps {
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
}

function Text({ label, description, value, onChange }: TextProps) {
  return (
    <FormField label={label} description={description}>
      <Input
        value={value}
        spellcheck={false}
        onChange={({ detail }) => {
          onChange(detail.value);
        }}
      />
    </FormField>
  );
}

/** Says what became of the event, and what it met. */
function Met({ sent }: { sent: Sent }) {
  const { error, met, receipt } = sent;
  if (error !== null) {
    return (
      <Alert type="error" header={error.detail}>
        {error.code}
        {error.errors.map(({ field, detail }, index) => (
          <div key={index}>
            <code>{field}</code>: <Said>{detail}</Said>
          </div>
        ))}
      </Alert>
    );
  }
  return (
    <Table
      items={met}
      wrapLines
      ariaLabels={{ tableLabel: "What the event met" }}
      header={
        <Header
          variant="h2"
          counter={`(${met.length})`}
          description={receipt === "new" ? "The event was received." : "It had been received before: nothing changes."}
        >
          What it met
        </Header>
      }
      empty={<Box color="text-body-secondary">No trigger matches it, and no task waits for it.</Box>}
      columnDefinitions={[
        {
          id: "what",
          header: "Task or trigger",
          isRowHeader: true,
          cell: ({ kind, name }) =>
            kind === "task" ? `task ${name}` : <RouteLink to={`/event-triggers/${name}`}>{name}</RouteLink>,
        },
        { id: "became", header: "Became", cell: (each) => <Became met={each} /> },
      ]}
    />
  );
}

function Became({ met }: { met: Schemas["MetByEvent"] }) {
  const { run_id: run, dag_run_id: dagRun, code, detail } = met;
  if (code !== null) return <>{`${code}: ${detail ?? ""}`}</>;
  if (run !== null) return <RouteLink to={`/runs/${run}`}>{run}</RouteLink>;
  return dagRun === null ? <>–</> : <RouteLink to={`/dag-runs/${dagRun}`}>{dagRun}</RouteLink>;
}
