import { useState } from "react";

import { JsonEditor, parseJson } from "../../shared/JsonEditor";
import { editableJson } from "../../shared/JsonText";
import { labelOf, resolved } from "../contract";
import { useField } from "../formContext";
import type { FieldProps } from "./fieldProps";

/** Edits a value as JSON; the draft follows while it is valid. */
export function JsonField({ name, node, path, label }: FieldProps) {
  const { value, change, refusal } = useField(path);
  const [text, setText] = useState(() => (value === undefined ? "" : editableJson(value)));
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
