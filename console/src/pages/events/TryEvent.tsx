import Alert from "@cloudscape-design/components/alert";
import Button from "@cloudscape-design/components/button";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { ProblemAlert, readAll, SameByCommand, type Schemas, useAct, useApi, useKept } from "../../kit";
import { parseJson } from "../shared/json/parseJson";
import { EVENT_BYTES, JsonEditor } from "../shared/json/JsonEditor";
import { JsonText } from "../shared/json/JsonText";
import { request } from "../shared/quoting";

const FIRST = JSON.stringify({ specversion: "1.0", id: "e-1", source: "shop", type: "order.paid", data: {} }, null, 2);

/** Compares an event with a trigger; nothing starts. */
export function TryEvent({ trigger }: { trigger: Schemas["EventTrigger"] }) {
  const api = useApi();
  const [text, setText] = useKept("event to try", FIRST);
  const parsed = parseJson(text);
  const params = { path: { event_trigger: trigger.name } };
  const body = { event: parsed.ok ? parsed.value : {} } as Schemas["EventToTry"];
  const tried = useAct(
    () => readAll(api.POST("/v1/event-triggers/{event_trigger}/try", { params, body })),
    () => undefined,
  );
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="Compares an event with the pattern, and looks up the references. Nothing starts."
          actions={
            <Button loading={tried.isRunning} disabled={!parsed.ok} onClick={tried.act}>
              Try the event
            </Button>
          }
        >
          Try an event
        </Header>
      }
    >
      <SpaceBetween size="m">
        <JsonEditor label="Event" text={text} rows={8} mostBytes={EVENT_BYTES} onChange={setText} />
        {tried.problem !== null && <ProblemAlert problem={tried.problem} />}
        {tried.answer !== undefined && <Outcome tried={tried.answer} />}
        <SameByCommand
          cli={`timegate event-triggers try ${trigger.name} event.json`}
          api={`${request("POST", `/v1/event-triggers/${trigger.name}/try`)}\n\n${JSON.stringify(body, null, 2)}`}
        />
      </SpaceBetween>
    </Container>
  );
}

function Outcome({ tried }: { tried: Schemas["TriedEvent"] }) {
  if (!tried.matches) return <Alert type="info">It does not match: nothing would start.</Alert>;
  return (
    <Alert type="success" header="It matches. This would be sent on:">
      <JsonText label="what would be sent on" value={tried.data} />
    </Alert>
  );
}
