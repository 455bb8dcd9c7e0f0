import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";
import RadioGroup from "@cloudscape-design/components/radio-group";

import { type AnotherInstant, instantRefusal } from "./anotherInstant";

interface Props {
  draft: AnotherInstant;
  onChange: (draft: AnotherInstant) => void;
}

/** Chooses the instant to which a run is moved. */
export function InstantFields({ draft, onChange }: Props) {
  const refusal = draft.by === "at" && draft.at === "" ? null : instantRefusal(draft);
  return (
    <>
      <RadioGroup
        ariaLabel="Due"
        value={draft.by}
        onChange={({ detail }) => {
          onChange({ ...draft, by: detail.value as AnotherInstant["by"] });
        }}
        items={[
          { value: "delay", label: "So long from now" },
          { value: "at", label: "At an instant" },
        ]}
      />
      {draft.by === "delay" ? (
        <FormField label="Minutes from now" errorText={refusal}>
          <Input
            type="number"
            value={draft.minutes}
            onChange={({ detail }) => {
              onChange({ ...draft, minutes: detail.value });
            }}
          />
        </FormField>
      ) : (
        <FormField label="Instant" description="With its offset; at most 366 days ahead." errorText={refusal}>
          <Input
            value={draft.at}
            placeholder="2026-12-24T18:00:00+01:00"
            onChange={({ detail }) => {
              onChange({ ...draft, at: detail.value.trim() });
            }}
          />
        </FormField>
      )}
    </>
  );
}
