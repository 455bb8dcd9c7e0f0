import "../shared/tokens.css";

import Box from "@cloudscape-design/components/box";

import { Said, type Schemas } from "../../kit";
import { Folded } from "../form/Folded";
import { JsonText } from "../shared/json/JsonText";
import { writeChange } from "./audit";

type Entry = Schemas["AuditRecord"];

/** Names who made a change, and from where. */
export function Actor({ entry: { actor } }: { entry: Entry }) {
  const from = [actor.client_id, actor.source_ip].filter((part) => part !== null).join(", ");
  return (
    <>
      <Said>{actor.of_stage ? `${actor.subject} (the stage)` : actor.subject}</Said>
      {from !== "" && (
        <Box fontSize="body-s" color="text-body-secondary">
          {from}
        </Box>
      )}
    </>
  );
}

/** Shows a field before and after; what is cut off is opened beneath. */
function Change({ entry, change: { field, before, after } }: { entry: Entry; change: Entry["changes"][number] }) {
  const [was, is] = writeChange(before, after);
  const isCut = was.includes("…") || is.includes("…");
  return (
    <li>
      <b>{field}</b> <Said>{was}</Said> → <Said>{is}</Said>
      {isCut && (
        <Folded name={`${entry.at} ${entry.request_id} ${entry.resource.id} ${field}`} title={`${field} as a whole`}>
          <JsonText label={`${field} before`} value={before} />
          <JsonText label={`${field} after`} value={after} />
        </Folded>
      )}
    </li>
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
        <Change key={change.field} entry={entry} change={change} />
      ))}
    </ul>
  );
}
