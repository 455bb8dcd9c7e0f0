import FormField from "@cloudscape-design/components/form-field";
import Textarea from "@cloudscape-design/components/textarea";

import { plainNumbers } from "../../../kit";
import { type Parsed, parseJson } from "./parseJson";

interface Props {
  label: string;
  description?: string;
  text: string;
  onChange: (text: string) => void;
  disabled?: boolean;
  /** The refusal of the API for this field. */
  refusal?: string | null;
  rows?: number;
  /** Empty text is no error. */
  isOptional?: boolean;
  /** The most bytes that the API takes, as it counts them: without spaces between the values. */
  mostBytes?: number;
}

/** The most bytes of a payload, a result, or parameters. */
export const PAYLOAD_BYTES = 262_144;
/** The most bytes of an event. */
export const EVENT_BYTES = 65_536;

/** Counts the bytes of a value as the API stores it; of a text that is no JSON, those that are written. */
function bytesOf(text: string, parsed: Parsed): number {
  const stored = parsed.ok ? plainNumbers(JSON.stringify(parsed.value)) : text;
  return new TextEncoder().encode(stored).length;
}

/** Edits JSON, and says at once whether it is valid. */
export function JsonEditor(props: Props) {
  const { label, description, text, onChange, disabled, refusal, rows, isOptional, mostBytes } = props;
  const parsed = parseJson(text);
  const count = bytesOf(text, parsed).toLocaleString("en");
  const isFine = disabled === true || parsed.ok || (isOptional === true && text.trim() === "");
  return (
    <FormField
      stretch
      label={label}
      description={description}
      errorText={isFine ? refusal : parsed.error}
      constraintText={mostBytes === undefined ? `${count} bytes` : `${count} of ${mostBytes.toLocaleString("en")} bytes`}
    >
      <Textarea
        value={text}
        rows={rows ?? 10}
        disabled={disabled ?? false}
        spellcheck={false}
        autoComplete={false}
        onChange={({ detail }) => {
          onChange(detail.value);
        }}
      />
    </FormField>
  );
}
