import CopyToClipboard from "@cloudscape-design/components/copy-to-clipboard";

import { plainNumbers } from "../../../kit";
import { parseJson } from "./parseJson";
import { plainJson } from "./plainJson";
import { Scroll } from "../Scroll";
import "./jsonText.css";
import "../tokens.css";

/** Writes a value as JSON; text that is no JSON stays as it is. */
export function writeJson(value: unknown): string {
  if (typeof value !== "string") return editableJson(value);
  const read = parseJson(value);
  return read.ok ? editableJson(read.value) : plainNumbers(value);
}

/** Writes a value as JSON that is read back as the same: a text has its quotes. */
export const editableJson = (value: unknown): string => plainJson(value, 2);

/** Shows a payload, result or message as text, with a button that copies it. */
export function JsonText({ value, label }: { value: unknown; label: string }) {
  const text = writeJson(value);
  return (
    <div className="tg-json">
      <div className="tg-json-copy">
        <CopyToClipboard
          variant="icon"
          textToCopy={text}
          copyButtonAriaLabel={`Copy ${label}`}
          copySuccessText="Copied"
          copyErrorText="The browser did not copy it"
        />
      </div>
      <Scroll className="tg-json-text" label={label}>
        <pre>{text}</pre>
      </Scroll>
    </div>
  );
}
