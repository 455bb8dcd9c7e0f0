import { useState } from "react";

import { useKeptField } from "../../../kit";
import { parseJson } from "../../shared/json/parseJson";
import { JsonEditor } from "../../shared/json/JsonEditor";
import { editableJson } from "../../shared/json/JsonText";
import { labelOf, resolved } from "../contract";
import { useField } from "../formContext";
import { useMarkUnread } from "../refusals/useUnread";
import type { FieldProps } from "./fieldProps";

/** Edits a value as JSON; the draft follows while it is valid, and the form is not stored while it is not. */
export function JsonField({ name, node, path, label }: FieldProps) {
  const { value, change, refusal } = useField(path);
  const [first] = useState(() => (value === undefined ? "" : editableJson(value)));
  const unreadOf = (typed: string): string | null => {
    const read = parseJson(typed);
    return read.ok || typed === first || typed.trim() === "" ? null : read.error;
  };
  const [text, setText] = useKeptField(`JSON of ${path.join(".")}`, first, (typed) => unreadOf(typed) !== null);
  useMarkUnread(path, unreadOf(text));
  return (
    <JsonEditor
      label={label ?? labelOf(name)}
      description={resolved(node).description ?? ""}
      text={text}
      rows={5}
      isOptional
      refusal={refusal}
      onChange={(next) => {
        setText(next);
        const read = parseJson(next);
        if (next.trim() === "") change(undefined);
        else if (read.ok) change(read.value);
      }}
    />
  );
}
