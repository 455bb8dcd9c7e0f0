import FormField from "@cloudscape-design/components/form-field";

import { defaultOf, labelOf, resolved, type Shape, shapeOf, textOf } from "../contract";
import { useField } from "../formContext";
import type { FieldProps } from "./fieldProps";
import { JsonField } from "./JsonField";
import { ListField } from "./ListField";
import { MapField } from "./MapField";
import { ObjectField } from "./ObjectField";
import { SimpleControl } from "./SimpleControl";
import { UnionField } from "./UnionField";

/** Shows one field of the contract, by what its schema asks for. */
export function SchemaField(props: FieldProps) {
  const shape = shapeOf(props.node);
  switch (shape.kind) {
    case "object":
      return <ObjectField {...props} shape={shape} Field={SchemaField} />;
    case "union":
      return <UnionField {...props} shape={shape} Field={SchemaField} />;
    case "list":
      return <ListField {...props} item={shape.item} Field={SchemaField} />;
    case "map":
      return <MapField {...props} value={shape.value} />;
    case "json":
      return <JsonField {...props} />;
    default:
      return <SimpleField {...props} shape={shape} />;
  }
}

function SimpleField({ name, node, path, isRequired, label, shape }: FieldProps & { shape: Shape }) {
  const { value, beside, change, refusal } = useField(path);
  const known = resolved(node);
  const given = defaultOf(node, beside);
  return (
    <FormField
      label={label ?? labelOf(name)}
      description={known.description}
      errorText={refusal}
      constraintText={constraintOf(shape, given, isRequired)}
    >
      <SimpleControl
        shape={shape}
        name={path.join(".")}
        label={label ?? labelOf(name)}
        value={value}
        defaultValue={given}
        onChange={change}
      />
    </FormField>
  );
}

function constraintOf(shape: Shape, given: unknown, isRequired: boolean): string {
  const parts: string[] = [];
  if (isRequired) parts.push("Required.");
  if (shape.kind === "duration") parts.push("Seconds, or a duration: PT5M.");
  if (shape.kind === "number" && shape.maximum !== null) {
    parts.push(`${(shape.minimum ?? 0).toLocaleString("en")} to ${shape.maximum.toLocaleString("en")}.`);
  }
  if (textOf(given) !== "" && shape.kind !== "boolean") parts.push(`Without it: ${textOf(given)}.`);
  return parts.join(" ");
}
