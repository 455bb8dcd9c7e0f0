import schemas from "../../api/contracts/eventTrigger.json";
import type { Schemas } from "../../kit";
import { contractOf } from "../form/contract";
import { type Draft, withoutDefaults } from "../form/draft";
import { type Group, groupsOf } from "../form/groups";

/** The contract of an event trigger. */
export const TRIGGER = contractOf("EventTriggerBody", schemas);

const NAMED: readonly Group[] = [
  { title: "Which events", names: ["pattern"], isFolded: false },
  { title: "What they start", names: ["starts"], isFolded: false },
  { title: "A web hook of its own", names: ["hook"], isFolded: true },
];

export const TRIGGER_GROUPS = groupsOf(NAMED, TRIGGER.properties ?? {});

export const FIRST_TRIGGER: Draft = {
  pattern: { type: ["com.example.order.paid"] },
  starts: { type: "job" },
};

const WHOLE = '{"$ref":"event"}';

/** Returns a trigger as its owner would write it: a payload that is null is none, one that is absent the event. */
export function triggerBodyOf(trigger: Schemas["EventTrigger"]): Draft {
  const draft = withoutDefaults({ ...trigger }, TRIGGER);
  const { starts } = trigger;
  const written = draft.starts as Draft;
  if (starts.type !== "job") {
    return JSON.stringify(starts.parameters) === WHOLE ? { ...draft, starts: without(written, "parameters") } : draft;
  }
  if (starts.payload_patch !== null) {
    return { ...draft, starts: { ...without(written, "payload"), payload_patch: starts.payload_patch } };
  }
  const isWhole = JSON.stringify(starts.payload) === WHOLE;
  const rest = without(written, "payload");
  return { ...draft, starts: isWhole ? rest : { ...rest, payload: starts.payload } };
}

const without = (draft: Draft, name: string): Draft =>
  Object.fromEntries(Object.entries(draft).filter(([each]) => each !== name));
