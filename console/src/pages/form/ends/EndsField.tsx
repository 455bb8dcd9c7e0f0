import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";

interface Props {
  /** Says how far off the end may be. */
  bound: string;
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}

/** The instant at which something ends; nothing is wrong with it until it is written. */
export function EndsField({ bound, value, problem, onChange }: Props) {
  return (
    <FormField
      label="Ends"
      description={`An instant with its offset; ${bound}.`}
      errorText={value === "" ? null : problem}
    >
      <Input
        value={value}
        onChange={({ detail }) => {
          onChange(detail.value);
        }}
      />
    </FormField>
  );
}
