import Input from "@cloudscape-design/components/input";
import Select from "@cloudscape-design/components/select";
import Textarea from "@cloudscape-design/components/textarea";
import Toggle from "@cloudscape-design/components/toggle";
import { useState } from "react";

import { decimalOf } from "../../../kit";
import { labelOf, type Shape, textOf } from "../contract";

interface Props {
  shape: Shape;
  name: string;
  label: string;
  value: unknown;
  defaultValue: unknown;
  onChange: (value: unknown) => void;
}

/** Edits a text, a number, a duration, an instant, a choice or a truth value. */
export function SimpleControl({ shape, name, label, value, defaultValue, onChange }: Props) {
  const text = textOf(value);
  switch (shape.kind) {
    case "choice":
      return <Choice values={shape.values} text={text} label={label} defaultValue={defaultValue} onChange={onChange} />;
    case "boolean":
      return (
        <Toggle
          checked={value === undefined ? defaultValue === true : value === true}
          onChange={({ detail }) => {
            onChange(detail.checked);
          }}
        >
          {label}
        </Toggle>
      );
    case "text":
      if (shape.isLong) {
        return (
          <Textarea
            value={text}
            name={name}
            rows={2}
            onChange={({ detail }) => {
              onChange(detail.value === "" ? undefined : detail.value);
            }}
          />
        );
      }
      break;
  }
  return <Line shape={shape} name={name} text={text} placeholder={textOf(defaultValue)} onChange={onChange} />;
}

type LineProps = Pick<Props, "shape" | "name" | "onChange"> & { text: string; placeholder: string };

/** Edits one line. A number stays as it is typed: 0.0 is on the way to 0.05. */
function Line({ shape, name, text, placeholder, onChange }: LineProps) {
  const [typed, setTyped] = useState(text);
  const isTyped = textOf(readValue(shape, typed)) === text;
  return (
    <Input
      value={isTyped ? typed : text}
      name={name}
      autoComplete={false}
      spellcheck={false}
      inputMode={shape.kind === "number" ? "decimal" : "text"}
      placeholder={shape.kind === "instant" ? "2026-12-24T18:00:00+01:00" : placeholder}
      onChange={({ detail }) => {
        setTyped(detail.value);
        onChange(readValue(shape, detail.value));
      }}
    />
  );
}

/** Reads what was typed: a number where one is meant, and text as it is, for the API to judge. */
export function readValue(shape: Shape, text: string): unknown {
  if (text === "") return undefined;
  const isNumeric = shape.kind === "number" || shape.kind === "duration";
  const number = isNumeric ? decimalOf(text) : Number.NaN;
  return Number.isNaN(number) ? text : number;
}

interface ChoiceProps {
  values: string[];
  text: string;
  label: string;
  defaultValue: unknown;
  onChange: (value: unknown) => void;
}

function Choice({ values, text, label, defaultValue, onChange }: ChoiceProps) {
  const none = { value: "", label: textOf(defaultValue) === "" ? "–" : `${labelOf(textOf(defaultValue))} (default)` };
  // A later API may have given a value that this console does not know: it stays until another one is chosen.
  const options = [...new Set([...values, ...(text === "" ? [] : [text])])]
    .filter((value) => value !== defaultValue)
    .map((value) => ({ value, label: labelOf(value) }));
  return (
    <Select
      ariaLabel={label}
      options={[none, ...options]}
      selectedOption={options.find(({ value }) => value === text) ?? none}
      onChange={({ detail }) => {
        const { value } = detail.selectedOption;
        onChange(value === "" ? undefined : value);
      }}
    />
  );
}
