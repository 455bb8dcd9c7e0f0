import Checkbox from "@cloudscape-design/components/checkbox";
import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";
import Select from "@cloudscape-design/components/select";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { clipped } from "../../kit";
import { EndsField } from "../form/ends/EndsField";
import { ALL_SCOPES, type KeyDraft, type KeyScope, LIFETIMES, SCOPES } from "./keyDraft";

interface Props {
  draft: KeyDraft;
  problems: { scopes?: string; endsAt?: string };
  /** Scopes that the person may hand on. */
  offered: readonly KeyScope[];
  onChange: (changes: Partial<KeyDraft>) => void;
}

const MOST_CHARACTERS = 100;

/** Fields of a new key: its name, what it may do, and when it ends. */
export function KeyFields({ draft, problems, offered, onChange }: Props) {
  return (
    <SpaceBetween size="m">
      <FormField label="Name" description="For people: the program that gets it.">
        <Input
          value={draft.name}
          placeholder="nightly exports"
          onChange={({ detail }) => {
            onChange({ name: clipped(detail.value, MOST_CHARACTERS) });
          }}
        />
      </FormField>
      <FormField
        label="It may"
        description="Give a program no more than it needs."
        errorText={problems.scopes ?? null}
      >
        {ALL_SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            checked={draft.scopes.includes(scope)}
            disabled={!offered.includes(scope)}
            description={offered.includes(scope) ? null : "Your role does not have it, so it cannot hand it on."}
            onChange={({ detail }) => {
              onChange({ scopes: ALL_SCOPES.filter((each) => each === scope ? detail.checked : draft.scopes.includes(each)) });
            }}
          >
            <b>{scope}</b>: {SCOPES[scope]}
          </Checkbox>
        ))}
      </FormField>
      <FormField label="Lasts" description="It opens nothing from its end on.">
        <Select
          options={[...LIFETIMES]}
          selectedOption={LIFETIMES.find(({ value }) => value === draft.lasts) ?? null}
          onChange={({ detail }) => {
            onChange({ lasts: detail.selectedOption.value ?? draft.lasts });
          }}
        />
      </FormField>
      {draft.lasts === "until" && (
        <EndsField
          bound="at most 400 days ahead"
          value={draft.endsAt}
          problem={problems.endsAt}
          onChange={(endsAt) => {
            onChange({ endsAt });
          }}
        />
      )}
    </SpaceBetween>
  );
}
