import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";
import Select from "@cloudscape-design/components/select";
import Textarea from "@cloudscape-design/components/textarea";

import { plainNumbers } from "../../kit";
import { editableJson } from "../shared/json/JsonText";
import { type Draft, type PayloadField, readField, refusalOf, textIn } from "./payloadFields";

interface Props {
  fields: PayloadField[];
  draft: Draft;
  errors: readonly { field: string; detail: string }[];
  onChange: (draft: Draft) => void;
}

/** Asks for the members of a payload that its schema names. */
export function PayloadFields({ fields, draft, errors, onChange }: Props) {
  return fields.map((field) => {
    const text = textIn(draft, field.name);
    const read = readField(field, text);
    return (
      <FormField
        key={field.name}
        label={field.label}
        description={field.description}
        constraintText={field.isRequired ? "Required." : "Optional: empty leaves it out."}
        errorText={read?.ok === false ? read.error : refusalOf(field.name, errors)}
      >
        <Control
          field={field}
          text={text}
          onChange={(next) => {
            onChange({ ...draft, [field.name]: next });
          }}
        />
      </FormField>
    );
  });
}

const LEFT_OUT = { value: "", label: "Left out" };

function Control({ field, text, onChange }: { field: PayloadField; text: string; onChange: (text: string) => void }) {
  const placeholder = field.placeholder === "" ? "" : `Such as ${field.placeholder}`;
  if (field.kind === "choice") {
    const options = [LEFT_OUT, ...field.choices.map((each) => ({ value: editableJson(each), label: labelOf(each) }))];
    return (
      <Select
        selectedOption={options.find(({ value }) => value === text) ?? LEFT_OUT}
        options={options}
        placeholder={placeholder}
        onChange={({ detail }) => {
          onChange(detail.selectedOption.value ?? "");
        }}
      />
    );
  }
  const changed = ({ detail }: { detail: { value: string } }): void => {
    onChange(detail.value);
  };
  if (field.kind === "json") {
    return <Textarea value={text} placeholder={placeholder} rows={4} spellcheck={false} onChange={changed} />;
  }
  const isNumber = field.kind !== "text";
  return (
    <Input
      value={text}
      placeholder={placeholder}
      inputMode={isNumber ? "decimal" : "text"}
      onChange={changed}
    />
  );
}

/** A choice as people read it: a text without quotes. */
const labelOf = (choice: unknown): string => (typeof choice === "string" ? plainNumbers(choice) : editableJson(choice));
