import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";
import Select from "@cloudscape-design/components/select";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { type BackfillDraft, REPROCESS } from "./backfillDraft";

interface Props {
  draft: BackfillDraft;
  problems: Partial<Record<keyof BackfillDraft, string>>;
  onChange: (changes: Partial<BackfillDraft>) => void;
}

const CHOICES = Object.entries(REPROCESS).map(([value, label]) => ({ value, label }));

/** Fields of a backfill: its range, which instants that ran already run again, and how many runs are unfinished at once. */
export function BackfillFields({ draft, problems, onChange }: Props) {
  const instant = (field: "from" | "to", label: string, description: string) => (
    <FormField label={label} description={description} errorText={problems[field]}>
      <Input
        value={draft[field]}
        spellcheck={false}
        onChange={({ detail }) => {
          onChange({ [field]: detail.value.trim() });
        }}
      />
    </FormField>
  );
  return (
    <SpaceBetween size="m">
      {instant("from", "First instant", "With its zone: 2026-11-20T00:00:00Z. Without one, it is read in your zone.")}
      {instant("to", "Last instant", "It is in the range as well; not in the future.")}
      <FormField label="Which instants">
        <Select
          options={CHOICES}
          selectedOption={CHOICES.find(({ value }) => value === draft.reprocess) ?? null}
          onChange={({ detail }) => {
            onChange({ reprocess: detail.selectedOption.value as BackfillDraft["reprocess"] });
          }}
        />
      </FormField>
      <FormField label="Runs at once" description="No more of its runs are unfinished at once." errorText={problems.most}>
        <Input
          value={draft.most}
          inputMode="numeric"
          onChange={({ detail }) => {
            onChange({ most: detail.value.trim() });
          }}
        />
      </FormField>
    </SpaceBetween>
  );
}
