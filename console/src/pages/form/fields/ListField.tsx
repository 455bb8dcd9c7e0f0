import Button from "@cloudscape-design/components/button";
import FormField from "@cloudscape-design/components/form-field";
import Multiselect from "@cloudscape-design/components/multiselect";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { useState } from "react";

import { labelOf, type Node, resolved, shapeOf, textOf } from "../contract";
import { useField } from "../formContext";
import type { NestingProps } from "./fieldProps";

/** Edits a list: of choices by ticking them, of others one after the other. */
export function ListField({ name, node, path, label, item, Field }: NestingProps & { item: Node }) {
  const { value, change, refusal } = useField(path);
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const shape = shapeOf(item);
  const title = label ?? labelOf(name);
  // A field holds text that is not read yet: it stays with its item when another one is taken out.
  const [known, setKnown] = useState<readonly number[]>([]);
  const ids = items.map((_, index) => known[index] ?? index);
  const set = (next: unknown[]): void => {
    change(next.length === 0 ? undefined : next);
  };
  return (
    <FormField label={title} description={resolved(node).description} errorText={refusal} stretch>
      {shape.kind === "choice" ? (
        <Choices title={title} values={shape.values} items={items} onChange={set} />
      ) : (
        <SpaceBetween size="s">
          {items.map((_, index) => (
            <div className="tg-nested" key={ids[index]}>
              <Field
                name={name}
                label={`${title} ${index + 1}`}
                node={item}
                path={[...path, index]}
                isRequired
              />
              <Button
                variant="link"
                ariaLabel={`Take out ${title} ${index + 1}`}
                onClick={() => {
                  setKnown(ids.filter((__, other) => other !== index));
                  set(items.filter((__, other) => other !== index));
                }}
              >
                Take out
              </Button>
            </div>
          ))}
          <Button
            iconName="add-plus"
            disabled={items.length >= (node.maxItems ?? Infinity)}
            onClick={() => {
              setKnown([...ids, Math.max(-1, ...ids) + 1]);
              set([...items, shape.kind === "object" || shape.kind === "union" ? {} : ""]);
            }}
          >
            Add to {title.toLowerCase()}
          </Button>
        </SpaceBetween>
      )}
    </FormField>
  );
}

interface ChoicesProps {
  title: string;
  values: string[];
  items: unknown[];
  onChange: (items: unknown[]) => void;
}

function Choices({ title, values, items, onChange }: ChoicesProps) {
  // A value that a later API has given stays until a person takes it out.
  const options = [...new Set([...values, ...items.map(textOf)])].map((each) => ({ value: each, label: labelOf(each) }));
  return (
    <Multiselect
      ariaLabel={title}
      placeholder="Choose any"
      options={options}
      selectedOptions={options.filter(({ value }) => items.includes(value))}
      deselectAriaLabel={(option) => `Take ${option.label ?? ""} out`}
      onChange={({ detail }) => {
        onChange(detail.selectedOptions.map((option) => option.value ?? ""));
      }}
    />
  );
}
