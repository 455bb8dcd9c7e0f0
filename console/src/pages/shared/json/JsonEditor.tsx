import FormField from "@cloudscape-design/components/form-field";
import Textarea from "@cloudscape-design/components/textarea";

import { parseJson } from "./parseJson";

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
}

/** Edits JSON, and says at once whether it is valid. */
export function JsonEditor(props: Props) {
  const { label, description, text, onChange, disabled, refusal, rows, isOptional } = props;
  const parsed = parseJson(text);
  const isFine = disabled === true || parsed.ok || (isOptional === true && text.trim() === "");
  return (
    <FormField
      stretch
      label={label}
      description={description}
      errorText={isFine ? refusal : parsed.error}
      constraintText={`${new TextEncoder().encode(text).length.toLocaleString("en")} of 262,144 bytes`}
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
