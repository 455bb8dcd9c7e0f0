import FormField from "@cloudscape-design/components/form-field";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Toggle from "@cloudscape-design/components/toggle";

import { labelOf, type Node, resolved, type Shape } from "../contract";
import { useField } from "../formContext";
import type { Field, NestingProps } from "./fieldProps";

type ObjectShape = Extract<Shape, { kind: "object" }>;

/** Shows an object's fields; one that may be null has a switch. */
export function ObjectField({ name, node, path, label, shape, Field }: NestingProps & { shape: ObjectShape }) {
  const { value, change, refusal } = useField(path);
  const known = resolved(node);
  const isOffByDefault = known.isNullable && "default" in node;
  const isOn = isOffByDefault ? value !== undefined && value !== null : value !== null;
  const fields = isOn && <Fields fields={shape.fields} required={shape.required} path={path} Field={Field} />;
  if (!known.isNullable) return fields;
  return (
    <SpaceBetween size="s">
      <FormField label={label ?? labelOf(name)} description={known.description} errorText={refusal}>
        <Toggle
          checked={isOn}
          ariaLabel={label ?? labelOf(name)}
          onChange={({ detail }) => {
            if (isOffByDefault) change(detail.checked ? {} : undefined);
            else change(detail.checked ? undefined : null);
          }}
        >
          {isOn ? "On" : "Off"}
        </Toggle>
      </FormField>
      {isOn && <div className="tg-nested">{fields}</div>}
    </SpaceBetween>
  );
}

interface FieldsProps {
  fields: Record<string, Node>;
  required: readonly string[];
  path: NestingProps["path"];
  Field: Field;
  /** Fields that are shown elsewhere. */
  without?: readonly string[];
}

/** Shows the fields of an object, one below the other. */
export function Fields({ fields, required, path, Field, without }: FieldsProps) {
  return (
    <SpaceBetween size="m">
      {Object.entries(fields)
        .filter(([name, node]) => node.const === undefined && without?.includes(name) !== true)
        .map(([name, node]) => (
          <Field
            key={name}
            name={name}
            node={node}
            path={[...path, name]}
            isRequired={required.includes(name)}
          />
        ))}
    </SpaceBetween>
  );
}
