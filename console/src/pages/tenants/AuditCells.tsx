import "../shared/tokens.css";

import Box from "@cloudscape-design/components/box";

import type { Schemas } from "../../kit";
import { writeChange } from "./audit";

type Entry = Schemas["AuditRecord"];

/** Names who made a change, and from where. */
export function Actor({ entry: { actor } }: { entry: Entry }) {
  const from = [actor.client_id, actor.source_ip].filter((part) => part !== null).join(", ");
  return (
    <>
      {actor.of_stage ? `${actor.subject} (the stage)` : actor.subject}
      {from !== "" && (
        <Box fontSize="body-s" color="text-body-secondary">
          {from}
        </Box>
      )}
    </>
  );
}

/** Lists the fields that a change changed. */
export function Changes({ entry }: { entry: Entry }) {
  if (entry.changes.length === 0) {
    return <>–</>;
  }
  return (
    <ul className="tg-changes">
      {entry.changes.map((change) => (
        <li key={change.field}>
          <b>{change.field}</b> {writeChange(change.before)} → {writeChange(change.after)}
        </li>
      ))}
    </ul>
  );
}
