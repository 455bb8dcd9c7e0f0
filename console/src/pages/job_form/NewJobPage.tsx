import {
  clipped,
  Live,
  Page,
  readAll,
  SameByCommand,
  type Schemas,
  useAct,
  useApi,
  useGo,
  useLive,
  useRequestKey,
  useSearch,
} from "../../kit";
import { request, withDocument } from "../shared/quoting";
import { type Draft, withoutDefaults } from "../form/draft";
import { useDraft } from "../form/edits/useDraft";
import { JobForm } from "./JobForm";
import { NEW_JOB } from "./newJob";

const CRUMBS = [
  { text: "Jobs", href: "/jobs" },
  { text: "Create a job", href: "/jobs/new" },
];
/** A first draft that fires: its zone is the reader's. */
const firstDraft = (): Draft => ({
  name: "",
  schedule: { kind: "cron", cron: "0 9 * * mon-fri", timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  action: { type: "webhook" },
});

/** Creates a job; `?from=` names one to copy. */
export function NewJobPage() {
  const [search] = useSearch();
  const from = search.get("from");
  return (
    <Page title="Create a job" crumbs={CRUMBS} heading description="Nothing is stored until you create it.">
      {from === null || from === "" ? <Create first={firstDraft()} /> : <Copy jobId={from} />}
    </Page>
  );
}

function Copy({ jobId }: { jobId: string }) {
  const api = useApi();
  const job = useLive({
    key: ["job-to-copy", jobId],
    read: () => readAll(api.GET("/v1/jobs/{job_id}", { params: { path: { job_id: jobId } } })),
    everyMs: () => null,
    isFresh: true,
  });
  return (
    <Live live={job}>
      {(known) => <Create first={copyOf(known)} />}
    </Live>
  );
}

/** A copy has a name of its own, and no key: that stands for one job. */
function copyOf(job: Schemas["Job"]): Draft {
  return withoutDefaults({ ...job, key: null, name: clipped(`Copy of ${job.name}`, 200) }, NEW_JOB);
}

function Create({ first }: { first: Draft }) {
  const api = useApi();
  const go = useGo();
  const [draft, setDraft] = useDraft("new job", first);
  // A second click, or a repeated request, gives the same job.
  const [key] = useRequestKey("new job");
  const body = draft as unknown as Schemas["NewJob"];
  const create = useAct(
    () => readAll(api.POST("/v1/jobs", { body, params: { header: { "Idempotency-Key": key } } })),
    (job) => {
      go(`/jobs/${job.job_id}`);
    },
  );
  return (
    <>
      <JobForm
        draft={draft}
        onChange={setDraft}
        verb="Create the job"
        isRunning={create.isRunning}
        problem={create.problem}
        onConfirm={create.act}
        onBack={() => {
          go("/jobs");
        }}
      />
      <SameByCommand
        cli={withDocument("timegate jobs create --file -", body)}
        api={`${request("POST", "/v1/jobs")}\n\n${JSON.stringify(body, null, 2)}`}
      />
    </>
  );
}
