import Button from "@cloudscape-design/components/button";
import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";
import RadioGroup from "@cloudscape-design/components/radio-group";
import Select from "@cloudscape-design/components/select";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { useState } from "react";

import { clipped, present, readAll, Skeleton, useAct, useApi, useKept, useKeptText, useMay, useNow } from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { useSettled } from "../form/edits/useSettled";
import { EndsField } from "../form/ends/EndsField";
import { request } from "../shared/quoting";
import {
  bodyOf,
  cliOf,
  DURATIONS,
  type FreezeDraft,
  NEW_FREEZE,
  problemsOf,
} from "./freezeDraft";
import { THAW_WORDS } from "./freezeWords";
import { HeldBack } from "./HeldBack";

/** The button that freezes, and the question behind it. */
export function CreateFreeze() {
  const [isOpen, setIsOpen] = useKept("freeze", false);
  const may = useMay("operate");
  return (
    <>
      <Button
        variant="primary"
        disabled={!may.allowed}
        disabledReason={may.why ?? ""}
        onClick={() => {
          setIsOpen(true);
        }}
      >
        Freeze
      </Button>
      {isOpen && (
        <FreezeModal
          onDismiss={() => {
            setIsOpen(false);
          }}
        />
      )}
    </>
  );
}

/** A forecast counts as many requests: none is asked for a word that is half written. */
const SETTLES_MS = 500;
const THAWS = Object.entries(THAW_WORDS).map(([value, label]) => ({ value, label }));

interface Decided {
  draft: FreezeDraft;
  key: string;
  body: ReturnType<typeof bodyOf>;
}

function FreezeModal({ onDismiss }: { onDismiss: () => void }) {
  const api = useApi();
  const [draft, setDraft] = useKeptText<FreezeDraft>("new freeze", NEW_FREEZE);
  // The end moves with the clock until the operator confirms: a duration counts from then.
  const now = useNow(60_000);
  const problems = problemsOf(draft, now);
  const isSettled = useSettled(draft, SETTLES_MS) === draft;
  // It is not read anew for each minute of the clock.
  const [asked] = useState(() => present());
  const change = (changes: Partial<FreezeDraft>): void => {
    setDraft((was) => ({ ...was, ...changes }));
  };
  // A repeated click is the same request: its span does not move, and it freezes nothing twice.
  const [decided, setDecided] = useKept<Decided | null>("decided freeze", null);
  const freeze = useAct(() => {
    const isSame = decided !== null && JSON.stringify(decided.draft) === JSON.stringify(draft);
    const { key, body } = isSame ? decided : { key: crypto.randomUUID(), body: bodyOf(draft, present()) };
    setDecided({ draft, key, body });
    return readAll(api.POST("/v1/freezes", { params: { header: { "Idempotency-Key": key } }, body }));
  }, onDismiss);
  return (
    <ActionModal
      title="Freeze"
      verb="Freeze"
      size="large"
      isRunning={freeze.isRunning}
      isDisabled={Object.keys(problems).length > 0}
      problem={freeze.problem}
      onConfirm={freeze.act}
      onDismiss={onDismiss}
      cli={cliOf(draft)}
      api={`${request("POST", "/v1/freezes")}\n\n${JSON.stringify(bodyOf(draft, now), null, 2)}`}
    >
      <ScopeFields draft={draft} problems={problems} onChange={change} />
      <TimeFields draft={draft} problems={problems} onChange={change} />
      <FormField label="At the thaw" description="What runs then of what it held back.">
        <Select
          options={THAWS}
          selectedOption={THAWS.find(({ value }) => value === draft.thaw) ?? null}
          onChange={({ detail }) => {
            change({ thaw: detail.selectedOption.value as FreezeDraft["thaw"] });
          }}
        />
      </FormField>
      <FormField label="Reason" description="For people." constraintText="Up to 200 characters">
        <Input
          value={draft.reason}
          onChange={({ detail }) => {
            change({ reason: clipped(detail.value, 200) });
          }}
        />
      </FormField>
      {Object.keys(problems).length === 0 &&
        (isSettled ? <HeldBack freeze={bodyOf(draft, asked)} now={asked} /> : <Skeleton what="what it will hold back" />)}
    </ActionModal>
  );
}

interface FieldsProps {
  draft: FreezeDraft;
  problems: Partial<Record<keyof FreezeDraft, string>>;
  onChange: (changes: Partial<FreezeDraft>) => void;
}

function ScopeFields({ draft, problems, onChange }: FieldsProps) {
  return (
    <SpaceBetween size="m">
      <FormField label="Scope">
        <RadioGroup
          value={draft.scope}
          onChange={({ detail }) => {
            onChange({ scope: detail.value as FreezeDraft["scope"] });
          }}
          items={[
            { value: "tag", label: "Jobs with a tag" },
            { value: "job", label: "One job" },
            { value: "tenant", label: "Everything of the tenant" },
          ]}
        />
      </FormField>
      {draft.scope === "tag" && (
        <FormField
          label="Tag"
          description="name=value, or a name alone: whatever its value."
          errorText={draft.tag === "" ? null : problems.tag}
        >
          <Input
            value={draft.tag}
            placeholder="team=billing"
            onChange={({ detail }) => {
              onChange({ tag: detail.value });
            }}
          />
        </FormField>
      )}
      {draft.scope === "job" && (
        <FormField
          label="Job"
          description="Its id of 26 letters and digits, or key: and its key."
          errorText={draft.jobId === "" ? null : problems.jobId}
        >
          <Input
            value={draft.jobId}
            onChange={({ detail }) => {
              onChange({ jobId: detail.value });
            }}
          />
        </FormField>
      )}
    </SpaceBetween>
  );
}

function TimeFields({ draft, problems, onChange }: FieldsProps) {
  return (
    <SpaceBetween size="m">
      <FormField
        label="Starts"
        description="An instant with its offset, such as 2026-12-24T00:00:00Z. Empty: now."
        errorText={problems.startsAt}
      >
        <Input
          value={draft.startsAt}
          placeholder="now"
          onChange={({ detail }) => {
            onChange({ startsAt: detail.value });
          }}
        />
      </FormField>
      <FormField label="Lasts">
        <Select
          options={[...DURATIONS]}
          selectedOption={DURATIONS.find(({ value }) => value === draft.duration) ?? null}
          onChange={({ detail }) => {
            onChange({ duration: detail.selectedOption.value ?? "4h" });
          }}
        />
      </FormField>
      {draft.duration === "until" && (
        <EndsField
          bound="at most 366 days after its start"
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
