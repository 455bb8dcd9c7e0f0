import Box from "@cloudscape-design/components/box";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { readAll, type Schemas, useAct, useApi, useGo, useRouteParam } from "../../kit";
import type { Draft } from "../form/draft";
import { EditFrame } from "../form/EditFrame";
import { NamedForm, useNamedDraft } from "../form/NamedForm";
import { FIRST_TRIGGER, TRIGGER, TRIGGER_GROUPS, triggerBodyOf } from "./triggerContract";

/** Creates an event trigger, or edits the one that the address names. */
export default function EditEventTriggerPage() {
  const api = useApi();
  const name = useRouteParam("event_trigger");
  const params = { path: { event_trigger: name } };
  return (
    <EditFrame
      list={{ text: "Event triggers", href: "/event-triggers" }}
      what="trigger"
      name={name}
      read={() => readAll(api.GET("/v1/event-triggers/{event_trigger}", { params }))}
      form={(trigger, again) =>
        trigger === null ? (
          <Edit known={null} version={null} onAgain={again} first={FIRST_TRIGGER} />
        ) : (
          <Edit onAgain={again} known={trigger.name} version={trigger.version} first={triggerBodyOf(trigger)} />
        )
      }
    />
  );
}

interface EditProps {
  known: string | null;
  /** The version that was read: a change made meanwhile is not overwritten. */
  version: number | null;
  first: Draft;
  onAgain: () => void;
}

function Edit({ known, version, first, onAgain }: EditProps) {
  const api = useApi();
  const go = useGo();
  const edited = useNamedDraft(known, version, first);
  const put = useAct(
    () => {
      const header = version === null ? { "If-None-Match": "*" } : { "If-Match": `"${version}"` };
      const params = { path: { event_trigger: edited.name }, header };
      const body = edited.draft as unknown as Schemas["EventTriggerBody"];
      return readAll(api.PUT("/v1/event-triggers/{event_trigger}", { params, body }));
    },
    (trigger) => {
      go(`/event-triggers/${trigger.name}`);
    },
  );
  return (
    <NamedForm
      // Fields show what is written in them: those of another version are others.
      key={version}
      onAgain={() => {
        put.forget();
        onAgain();
      }}
      kind="EventTrigger"
      contract={TRIGGER}
      groups={TRIGGER_GROUPS}
      edited={edited}
      verb={known === null ? "Create the trigger" : "Save the trigger"}
      isRunning={put.isRunning}
      problem={put.problem}
      onConfirm={put.act}
      onBack={() => {
        go(known === null ? "/event-triggers" : `/event-triggers/${known}`);
      }}
      path="/v1/event-triggers"
      cli="event-triggers put"
      help={
        <Container header={<Header variant="h2">Patterns and references</Header>}>
          <SpaceBetween size="s">
            <Box variant="p">
              An object names fields of the event, a list the values that one may have:{" "}
              <code>{`{"type": ["order.paid"], "data": {"total": [{"numeric": [">", 100]}]}}`}</code>. An empty
              pattern matches every event.
            </Box>
            <Box variant="p">
              Payload and parameters look up the event: <code>{`{"order": {"$ref": "event.data.order"}}`}</code>.
              Without a payload, the job gets the event.
            </Box>
            <Box variant="p">
              A web hook has an address of its own for requests that are signed. The sender's key stays in Secrets
              Manager or Parameter Store; the form takes the name of its place, never the key.
            </Box>
          </SpaceBetween>
        </Container>
      }
    />
  );
}
