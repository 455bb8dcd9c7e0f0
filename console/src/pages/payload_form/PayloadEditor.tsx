import SegmentedControl from "@cloudscape-design/components/segmented-control";

import { useKept } from "../../kit";
import { JsonEditor, PAYLOAD_BYTES } from "../shared/json/JsonEditor";
import { editableJson } from "../shared/json/JsonText";
import { parseJson } from "../shared/json/parseJson";
import { draftOf, fieldsOf, payloadOf, readField, textIn } from "./payloadFields";
import { PayloadFields } from "./PayloadFields";

interface Props {
  /** The JSON schema of the payload; null: it has none. */
  schema: unknown;
  text: string;
  /** Places that the API has refused. */
  errors: readonly { field: string; detail: string }[];
  /** `isUnread`: a field holds what its schema cannot read, and the text lacks it. */
  onChange: (text: string, isUnread: boolean) => void;
}

/** Edits a payload by the fields of its schema, or as JSON; both edit the same text. */
export function PayloadEditor({ schema, text, errors, onChange }: Props) {
  const fields = fieldsOf(schema);
  const parsed = parseJson(text);
  const [isJson, setJson] = useKept("payload as JSON", fields === null);
  const [draft, setDraft] = useKept("payload fields", () => draftOf(fields ?? [], parsed.ok ? parsed.value : null));
  const json = <JsonEditor label="JSON" mostBytes={PAYLOAD_BYTES} text={text} onChange={(next) => { onChange(next, false); }} />;
  if (fields === null) return json;
  return (
    <>
      <SegmentedControl
        label="Way of writing the payload"
        selectedId={isJson ? "json" : "fields"}
        options={[
          { id: "fields", text: "Fields", disabled: isJson && !parsed.ok },
          { id: "json", text: "JSON" },
        ]}
        onChange={({ detail }) => {
          setJson(detail.selectedId === "json");
          if (parsed.ok) setDraft(draftOf(fields, parsed.value));
          onChange(text, false);
        }}
      />
      {isJson ? json : (
        <PayloadFields
          fields={fields}
          draft={draft}
          errors={errors}
          onChange={(next) => {
            setDraft(next);
            const isUnread = fields.some((field) => readField(field, textIn(next, field.name))?.ok === false);
            onChange(editableJson(payloadOf(fields, next, parsed.ok ? parsed.value : null)), isUnread);
          }}
        />
      )}
    </>
  );
}
