import AttributeEditor from "@cloudscape-design/components/attribute-editor";
import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";

import { useKeptField } from "../../../kit";
import { labelOf, type Node, resolved, shapeOf } from "../contract";
import { useField } from "../formContext";
import { useMarkUnread } from "../refusals/useUnread";
import type { FieldProps } from "./fieldProps";
import { JsonField } from "./JsonField";

interface Row {
  key: string;
  value: string;
}

/** Edits texts by name; values that are objects are written as JSON. */
export function MapField(props: FieldProps & { value: Node }) {
  return shapeOf(props.value).kind === "text" ? <TextMap {...props} /> : <JsonField {...props} />;
}

function TextMap({ name, node, path, label }: FieldProps) {
  const { value, change, refusal } = useField(path);
  // Rows are kept beside the draft: two rows may have one name while the second is typed.
  const [rows, setRows] = useKeptField<Row[]>(
    `rows of ${path.join(".")}`,
    () => Object.entries((value ?? {}) as Record<string, string>).map(([key, text]) => ({ key, value: text })),
    (typed) => unreadOf(typed) !== null,
  );
  const unread = unreadOf(rows);
  useMarkUnread(path, unread);
  const set = (next: Row[]): void => {
    setRows(next);
    const named = next.filter(({ key }) => key !== "");
    change(named.length === 0 ? undefined : Object.fromEntries(named.map((row) => [row.key, row.value])));
  };
  const edit = (index: number, part: keyof Row, text: string): void => {
    set(rows.map((row, other) => (other === index ? { ...row, [part]: text } : row)));
  };
  const title = label ?? labelOf(name);
  const column = (part: keyof Row, heading: string) => ({
    label: heading,
    control: (row: Row, index: number) => (
      <Input
        value={row[part]}
        ariaLabel={`${heading} ${index + 1} of ${title.toLowerCase()}`}
        onChange={({ detail }) => {
          edit(index, part, detail.value);
        }}
      />
    ),
  });
  return (
    <FormField label={title} description={resolved(node).description} errorText={unread ?? refusal} stretch>
      <AttributeEditor
        items={rows}
        addButtonText={`Add to ${title.toLowerCase()}`}
        removeButtonText="Take out"
        empty="None."
        definition={[column("key", "Name"), column("value", "Value")]}
        onAddButtonClick={() => {
          setRows([...rows, { key: "", value: "" }]);
        }}
        onRemoveButtonClick={({ detail }) => {
          set(rows.filter((_, index) => index !== detail.itemIndex));
        }}
      />
    </FormField>
  );
}

/** Says which row the map cannot hold; null: it has all of them. */
function unreadOf(rows: readonly Row[]): string | null {
  if (rows.some(({ key, value }) => key === "" && value !== "")) return "A value has no name.";
  const names = rows.map(({ key }) => key);
  const twice = names.find((name, index) => name !== "" && names.indexOf(name) !== index);
  return twice === undefined ? null : `The name ${twice} is there twice. Change one, or take it out.`;
}
