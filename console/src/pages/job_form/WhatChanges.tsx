import Box from "@cloudscape-design/components/box";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { Instant, isolated, Live, readAll, Said, type Schemas, useAct, useApi, useLive } from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { plainJson } from "../shared/json/plainJson";
import { command, request, withDocument } from "../shared/quoting";
import { labelOf } from "../form/contract";
import type { Draft } from "../form/draft";
import { ReadAgain } from "../form/edits/Meanwhile";

type EditPreview = Schemas["EditPreview"];

interface Props {
  job: Schemas["Job"];
  before: Draft;
  changes: Draft;
  onDismiss: () => void;
  /** Reads the job again, which another caller has changed. */
  onAgain: () => void;
  onSaved: () => void;
}

const DAYS = 31;
const LISTED = 5;

/** Shows which instants a job gains, loses and moves by its changes, and saves them. */
export function WhatChanges({ job, before, changes, onDismiss, onAgain, onSaved }: Props) {
  const api = useApi();
  const body = changes as Schemas["JobPatch"];
  const path = { job_id: job.job_id };
  // The version that was read: a change made meanwhile is not overwritten.
  const header = { "If-Match": `"${job.version}"` };
  const isChanged = Object.keys(changes).length > 0;
  const preview = useLive({
    key: ["edit-preview", job.job_id, job.version, changes],
    read: () =>
      readAll(
        api.POST("/v1/jobs/{job_id}/preview", {
          params: { path, header, query: { days: DAYS, limit: LISTED } },
          body,
        }),
      ),
    everyMs: () => null,
    isEnabled: isChanged,
  });
  const save = useAct(() => readAll(api.PATCH("/v1/jobs/{job_id}", { params: { path, header }, body })), onSaved);
  return (
    <ActionModal
      title={`What changes for ${isolated(job.name)}`}
      verb="Save the changes"
      size="large"
      isRunning={save.isRunning}
      isDisabled={!isChanged || preview.data === undefined || preview.problem !== null}
      problem={save.problem}
      onConfirm={save.act}
      onDismiss={onDismiss}
      cli={withDocument(
        command(`jobs update ${job.job_id}`, [
          ["--file", "-"],
          ["--preview", true],
        ]),
        changes,
      )}
      api={`${request("POST", `/v1/jobs/${job.job_id}/preview`, { days: DAYS })}\n\n${JSON.stringify(changes, null, 2)}`}
    >
      {isChanged ? (
        <>
          <Fields before={before} changes={changes} />
          <Live live={preview}>{(shown) => <Instants preview={shown} />}</Live>
        </>
      ) : (
        <Box>Nothing is changed yet.</Box>
      )}
      <ReadAgain problem={preview.problem ?? save.problem} onAgain={onAgain} />
    </ActionModal>
  );
}

function Fields({ before, changes }: { before: Draft; changes: Draft }) {
  return (
    <ul className="tg-changes">
      {Object.entries(changes).map(([name, value]) => (
        <li key={name}>
          <strong>{labelOf(name)}</strong>: <del><Said>{shown(before[name])}</Said></del> → <ins><Said>{shown(value)}</Said></ins>
        </li>
      ))}
    </ul>
  );
}

const shown = (value: unknown): string => (value === undefined ? "default" : plainJson(value));

function Instants({ preview }: { preview: EditPreview }) {
  const { description, instants, gained, lost, moved, stored, compared_until: until } = preview;
  return (
    <SpaceBetween size="m">
      {description.before !== description.after && (
        <div>
          {description.before} → <strong>{description.after}</strong>
        </div>
      )}
      <KeyValuePairs
        columns={4}
        items={[
          { label: "Instants", value: `${instants.before.toLocaleString("en")} → ${instants.after.toLocaleString("en")}` },
          { label: "Gained", value: gained.count.toLocaleString("en") },
          { label: "Lost", value: lost.count.toLocaleString("en") },
          { label: "Moved", value: moved.count.toLocaleString("en") },
        ]}
      />
      <Listed title="Gained first" instants={gained.first} />
      <Listed title="Lost first" instants={lost.first} />
      {moved.first.length > 0 && (
        <div>
          Moved first:{" "}
          {moved.first.map(({ before, after }) => (
            <div key={before.at}>
              <Instant at={before.runs_at} both /> → <Instant at={after.runs_at} both />
            </div>
          ))}
        </div>
      )}
      <Box color="text-body-secondary">
        Compared until <Instant at={until} both />. Runs that are planned already: {stored.adopted} stay,{" "}
        {stored.superseded} are superseded.
      </Box>
    </SpaceBetween>
  );
}

function Listed({ title, instants }: { title: string; instants: EditPreview["gained"]["first"] }) {
  if (instants.length === 0) return null;
  return (
    <div>
      {title}:{" "}
      {instants.map(({ at, runs_at: runsAt }) => (
        <div key={at}>
          <Instant at={runsAt} both />
        </div>
      ))}
    </div>
  );
}
