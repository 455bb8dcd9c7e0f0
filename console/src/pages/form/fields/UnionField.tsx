import FormField from "@cloudscape-design/components/form-field";
import Select from "@cloudscape-design/components/select";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { labelOf, resolved, type Shape, shapeOf } from "../contract";
import { Folded } from "../Folded";
import { useField } from "../formContext";
import type { NestingProps } from "./fieldProps";
import { Fields } from "./ObjectField";

type UnionShape = Extract<Shape, { kind: "union" }>;

/** Chooses a kind, and shows the fields of that kind: required ones first. */
export function UnionField({ name, node, path, label, shape, Field }: NestingProps & { shape: UnionShape }) {
  const { value, change, refusal } = useField(path);
  const { isNullable } = resolved(node);
  const kinds = Object.entries(shape.options).map(([kind, node]) => ({
    value: kind,
    label: labelOf(kind),
    description: resolved(node).description ?? "",
  }));
  const options = [...(isNullable ? [{ value: "", label: "None", description: "" }] : []), ...kinds];
  const kind = (value as Record<string, string | undefined> | null | undefined)?.[shape.tag] ?? "";
  return (
    <SpaceBetween size="m">
      <FormField label={label ?? `${labelOf(name)} ${shape.tag}`} errorText={refusal}>
        <Select
          options={options}
          placeholder="Choose one"
          selectedOption={options.find((option) => option.value === kind) ?? (kind === "" ? null : { value: kind, label: labelOf(kind) })}
          triggerVariant="option"
          onChange={({ detail }) => {
            const chosen = detail.selectedOption.value;
            change(chosen === "" ? undefined : { [shape.tag]: chosen });
          }}
        />
      </FormField>
      {shape.options[kind] !== undefined && (
        <KindFields key={kind} kind={kind} shape={shape} path={path} Field={Field} />
      )}
    </SpaceBetween>
  );
}

interface KindProps {
  kind: string;
  shape: UnionShape;
  path: NestingProps["path"];
  Field: NestingProps["Field"];
}

function KindFields({ kind, shape, path, Field }: KindProps) {
  const object = shapeOf(shape.options[kind] ?? {});
  if (object.kind !== "object") return null;
  const { fields, required } = object;
  const names = Object.keys(fields).filter((name) => fields[name]?.const === undefined);
  const first = names.filter((name) => required.includes(name) || name === "timezone");
  const more = names.filter((name) => !first.includes(name));
  return (
    <>
      <Fields fields={fields} required={required} path={path} Field={Field} without={more} />
      {more.length > 0 && (
        <Folded name={path.join(".")} title={`More of ${labelOf(kind).toLowerCase()}`}>
          <Fields fields={fields} required={required} path={path} Field={Field} without={first} />
        </Folded>
      )}
    </>
  );
}
