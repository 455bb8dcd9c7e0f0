import { useState } from "react";

import { Live, Page, readAll, SameByCommand, type Schemas, useApi, useGo, useLive, useRouteParam } from "../../kit";
import { command, request } from "../shared/quoting";
import { changesOf, type Draft, withoutDefaults } from "../form/draft";
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
  });
  const name = job.data?.name ?? jobId;
  const crumbs = [
    { text: "Jobs", href: "/jobs" },
    { text: name, href: `/jobs/${jobId}` },
    { text: "Edit", href: `/jobs/${jobId}/edit` },
  ];
  return (
    <Page title={`Edit ${name}`} crumbs={crumbs} heading>
      <Live live={job}>{(known) => <Edit key={known.version} job={known} />}</Live>
    </Page>
  );
}

function Edit({ job }: { job: Schemas["Job"] }) {
  const go = useGo();
  const [before] = useState(() => withoutDefaults({ ...job }, NEW_JOB));
  const [draft, setDraft] = useState<Draft>(before);
  const [isReviewing, setReviewing] = useState(false);
  const changes = changesOf(before, draft, NEW_JOB);
  return (
    <>
      <JobForm
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
          onDismiss={() => {
            setReviewing(false);
          }}
          onSaved={() => {
            go(`/jobs/${job.job_id}`);
          }}
        />
      )}
      <SameByCommand
        cli={command(`jobs update ${job.job_id}`, [
          ["--file", "changes.json"],
          ["--if-version", String(job.version)],
        ])}
        api={`${request("PATCH", `/v1/jobs/${job.job_id}`)}\n\n${JSON.stringify(changes, null, 2)}`}
      />
    </>
  );
}
