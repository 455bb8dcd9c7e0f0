import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import ProgressBar from "@cloudscape-design/components/progress-bar";
import StatusIndicator from "@cloudscape-design/components/status-indicator";
import Table from "@cloudscape-design/components/table";

import { type ApiProblem, Instant, readAll, RouteLink, Said, type Schemas, useApi, useKeptText } from "../../kit";
import { IN_AN_HOUR, instantRefusal, rescheduleCommand, rescheduleOf } from "../runs/acts/anotherInstant";
import { InstantFields } from "../runs/acts/InstantFields";
import { cancelRefusal, redriveRefusal, rescheduleRefusal } from "../runs/acts/runActions";
import { ActionModal } from "../shared/ActionModal";
import { command } from "../shared/quoting";
import { State } from "../shared/State";
import { type Ends, useEach } from "../shared/useEach";

type Run = Schemas["NamedRun"];
export type ManyKind = "redrive" | "cancel" | "reschedule";

const REFUSALS = { redrive: redriveRefusal, cancel: cancelRefusal, reschedule: rescheduleRefusal };

const WORDS: Record<ManyKind, { title: string; verb: string; effect: string }> = {
  redrive: {
    title: "Redrive the chosen runs?",
    verb: "Redrive",
    effect: "Each is tried again at once with the payload it had, under its job as it is now.",
  },
  cancel: {
    title: "Cancel the chosen runs?",
    verb: "Cancel",
    effect: "A run that waits does not start. The worker of a run at work is asked to stop at its next heartbeat.",
  },
  reschedule: {
    title: "Reschedule the chosen runs?",
    verb: "Reschedule",
    effect: "Each keeps its id and its nominal instant, and is due at another one.",
  },
};
/** Commands that are written out. */
const WRITTEN = 5;

interface Props {
  kind: ManyKind;
  runs: readonly Run[];
  onClose: () => void;
}

/** Says first what an action does to each chosen run, then acts on one after the other. */
export default function SelectedRuns({ kind, runs, onClose }: Props) {
  const api = useApi();
  const [draft, setDraft] = useKeptText(`${kind} chosen`, IN_AN_HOUR);
  const each = useEach<Run>(
    (run) => run.run_id,
    (run) => {
      const params = { path: { run_id: run.run_id } };
      if (kind === "cancel") return readAll(api.POST("/v1/runs/{run_id}/cancel", { params }));
      if (kind === "reschedule") {
        return readAll(api.POST("/v1/runs/{run_id}/reschedule", { params, body: rescheduleOf(draft) }));
      }
      // One key an attempt: a repeated request tries a run once more, not twice.
      const header = { "Idempotency-Key": `console-${run.run_id}-${run.attempt}` };
      return readAll(
        api.POST("/v1/runs/{run_id}/redrive", { params: { ...params, header }, body: {} as Schemas["Redrive"] }),
      );
    },
  );
  // The list is read anew meanwhile: a run that the action ended is meant all the same.
  const meant = each.begun ?? runs.filter((run) => REFUSALS[kind](run) === null);
  const words = WORDS[kind];
  const hasBegun = each.begun !== null;
  const isBad = kind === "reschedule" && instantRefusal(draft) !== null;
  return (
    <ActionModal
      title={words.title}
      verb={hasBegun ? "Close" : `${words.verb} ${meant.length.toLocaleString("en")}`}
      size="large"
      isRunning={each.isRunning}
      isDisabled={!hasBegun && (meant.length === 0 || isBad)}
      problem={null}
      onConfirm={() => {
        if (hasBegun) onClose();
        else each.begin(meant);
      }}
      onDismiss={() => {
        each.stop();
        onClose();
      }}
      cli={[
        ...meant
          .slice(0, WRITTEN)
          .map(({ run_id: id }) => (kind === "reschedule" ? rescheduleCommand(id, draft) : command(`runs ${kind} ${id}`))),
        ...(meant.length > WRITTEN ? [`# and so for ${meant.length - WRITTEN} more`] : []),
      ].join("\n")}
      api={`POST /v1/runs/{run_id}/${kind}`}
    >
      {hasBegun ? (
        <ProgressBar
          value={(100 * each.ends.size) / Math.max(1, meant.length)}
          label={`${each.ends.size} of ${meant.length} done`}
          additionalInfo={refusedWords(each.ends)}
        />
      ) : (
        <Box variant="p">
          {words.effect} {meant.length} of {runs.length} chosen are meant.
        </Box>
      )}
      {!hasBegun && kind === "reschedule" && <InstantFields draft={draft} onChange={setDraft} />}
      {!hasBegun && kind === "redrive" && meant.some(({ state }) => state !== "dead_lettered") && (
        <Alert type="warning">Targets may have done the work already. They see the same idempotency keys.</Alert>
      )}
      <Outlook kind={kind} runs={runs} ends={each.ends} />
    </ActionModal>
  );
}

function refusedWords(ends: Ends): string {
  const refused = [...ends.values()].filter((end) => end !== null).length;
  return refused === 0 ? "" : `${refused} were refused`;
}

function Outlook({ kind, runs, ends }: { kind: ManyKind; runs: readonly Run[]; ends: Ends }) {
  return (
    <Table
      variant="embedded"
      wrapLines
      trackBy="run_id"
      items={[...runs]}
      ariaLabels={{ tableLabel: "Chosen runs" }}
      columnDefinitions={[
        {
          id: "run",
          header: "Run",
          isRowHeader: true,
          cell: (run) => (
            <RouteLink to={`/runs/${run.run_id}`}>
              <Said>{run.job_name ?? run.job_id}</Said>, <Instant at={run.scheduled_at} />
            </RouteLink>
          ),
        },
        { id: "state", header: "State", cell: (run) => <State state={run.state} reason={run.reason} /> },
        {
          id: "end",
          header: "What happens",
          cell: (run) => <Outcome refusal={REFUSALS[kind](run)} end={ends.get(run.run_id)} verb={WORDS[kind].verb} />,
        },
      ]}
    />
  );
}

function Outcome({ refusal, end, verb }: { refusal: string | null; end: ApiProblem | null | undefined; verb: string }) {
  if (end === null) return <StatusIndicator type="success">Done</StatusIndicator>;
  if (end !== undefined) return <StatusIndicator type="error">{end.message}</StatusIndicator>;
  if (refusal !== null) return <StatusIndicator type="stopped">Left alone: {refusal}</StatusIndicator>;
  return <StatusIndicator type="pending">{verb}</StatusIndicator>;
}
