import { useMemo, useState } from "react";

import { isolated, Live, Page, readAll, SameByCommand, type Schemas, useApi, useGo, useLive, useRouteParam } from "../../kit";
import { command, request, withDocument } from "../shared/quoting";
import { changesOf, withoutDefaults } from "../form/draft";
import { useEdited } from "../form/edits/useEdited";
import { JobForm } from "./JobForm";
import { NEW_JOB } from "./newJob";
import { WhatChanges } from "./WhatChanges";

/** Edits a job: shows what the changes do before they are saved. */
export function EditJobPage() {
  const api = useApi();
  const jobId = useRouteParam("job_id");
  const job = useLive({
    key: ["job-to-edit", jobId],
    read: () => readAll(api.GET("/v1/jobs/{job_id}", { params: { path: { job_id: jobId } } })),
    everyMs: () => null,
    isFresh: true,
  });
  const name = job.data?.name ?? jobId;
  const crumbs = [
    { text: "Jobs", href: "/jobs" },
    { text: name, href: `/jobs/${jobId}` },
    { text: "Edit", href: `/jobs/${jobId}/edit` },
  ];
  return (
    <Page title={`Edit ${isolated(name)}`} crumbs={crumbs} heading>
      <Live live={job}>{(known) => <Edit job={known} onAgain={job.refetch} />}</Live>
    </Page>
  );
}

function Edit({ job, onAgain }: { job: Schemas["Job"]; onAgain: () => void }) {
  const go = useGo();
  const read = useMemo(() => withoutDefaults({ ...job }, NEW_JOB), [job]);
  const { before, draft, setDraft, meanwhile } = useEdited(read, job.version);
  const [isReviewing, setReviewing] = useState(false);
  const changes = changesOf(before, draft, NEW_JOB);
  return (
    <>
      <JobForm
        // Fields show what is written in them: those of another version are others.
        key={job.version}
        meanwhile={meanwhile}
        draft={draft}
        ownKey={before.key}
        onChange={setDraft}
        verb="Show what changes"
        isRunning={false}
        problem={null}
        onConfirm={() => {
          setReviewing(true);
        }}
        onBack={() => {
          go(`/jobs/${job.job_id}`);
        }}
      />
      {isReviewing && (
        <WhatChanges
          job={job}
          before={before}
          changes={changes}
          onAgain={() => {
            setReviewing(false);
            onAgain();
          }}
          onDismiss={() => {
            setReviewing(false);
          }}
          onSaved={() => {
            go(`/jobs/${job.job_id}`);
          }}
        />
      )}
      <SameByCommand
        cli={withDocument(
          command(`jobs update ${job.job_id}`, [
            ["--file", "-"],
            ["--if-version", String(job.version)],
          ]),
          changes,
        )}
        api={`${request("PATCH", `/v1/jobs/${job.job_id}`)}\n\n${JSON.stringify(changes, null, 2)}`}
      />
    </>
  );
}
