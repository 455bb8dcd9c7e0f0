import { valueAt, withValue } from "../form/draft";
import { SchemaField } from "../form/fields/SchemaField";
import { FormContext } from "../form/formContext";
import { NEW_JOB } from "../job_form/newJob";

interface Props {
  schedule: Record<string, unknown> | null;
  onChange: (schedule: unknown) => void;
}

/** Edits a schedule by the fields of its contract, as the form of a job does. */
export default function EditedSchedule({ schedule, onChange }: Props) {
  const draft = { schedule: schedule ?? undefined };
  const form = {
    draft,
    change: (path: readonly (string | number)[], value: unknown) => {
      onChange(valueAt(withValue(draft, path, value), ["schedule"]));
    },
    refusals: {},
    // No field of a schedule is JSON.
    markUnread: () => undefined,
  };
  return (
    <FormContext value={form}>
      <SchemaField name="schedule" node={NEW_JOB.properties?.schedule ?? {}} path={["schedule"]} isRequired />
    </FormContext>
  );
}
