import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { lazy, Suspense } from "react";

import { Instant, RouteLink, type Schemas, useKept, useMay } from "../../kit";
import type { RunQuery } from "../run_lists/runQuery";
import { likelyCause } from "../runs/causes";
import { knownWords } from "../shared/stateWords";
import { causeOf, KIND_ADVICE, KIND_WORDS, listingOf } from "./decisionWords";
import { LatestRuns } from "./LatestRuns";
import { SettleMany } from "./SettleMany";

/** Loaded on request, so that the page stays within its budget. */
const RedriveMatching = lazy(() => import("../run_lists/RedriveMatching"));

type Decision = Schemas["Decision"];

interface Props {
  group: Decision;
  from: string;
  onChange: () => void;
}

/** Shows what waits for one cause, and what can be decided about it. */
export function GroupCard({ group, from, onChange }: Props) {
  const [open, setOpen] = useKept<"redrive" | "discard" | null>(`settle ${causeOf(group)}`, null);
  const cause = likelyCause(group.error_code, group.reason);
  return (
    <Container
      header={
        <Header
          variant="h2"
          counter={`(${group.count})`}
          description={<Extent group={group} />}
          actions={<Buttons kind={group.kind} onOpen={setOpen} />}
        >
          {knownWords(KIND_WORDS, group.kind)}: {causeOf(group)}
        </Header>
      }
    >
      <SpaceBetween size="s">
        <Box variant="p">
          {cause !== null && `${cause.cause} ${cause.advice} `}
          {Object.hasOwn(KIND_ADVICE, group.kind) && KIND_ADVICE[group.kind]}
        </Box>
        <LatestRuns group={group} onChange={onChange} />
        {group.kind === "paused_job" ? (
          <RouteLink to="/jobs?status=paused">All paused jobs</RouteLink>
        ) : (
          <RouteLink to={listingOf(group)}>All runs of this cause</RouteLink>
        )}
      </SpaceBetween>
      {open === "redrive" && group.kind === "failed_run" && (
        <Suspense fallback={null}>
          <RedriveMatching
            query={failuresIn(group, from)}
            since={from}
            onDismiss={() => {
              setOpen(null);
            }}
          />
        </Suspense>
      )}
      {open !== null && group.kind === "dead_letter" && (
        <SettleMany
          kind={open}
          cause={{ reason: group.reason, code: group.error_code }}
          from={from}
          onDismiss={() => {
            setOpen(null);
          }}
          onDone={onChange}
        />
      )}
    </Container>
  );
}

function Extent({ group }: { group: Decision }) {
  const of = group.kind === "dag_task" ? "DAG run" : "job";
  return (
    <>
      {group.jobs === 1 ? `One ${of}` : `${group.jobs} ${of}s`}, first{" "}
      <Instant at={group.first_at} />, last <Instant at={group.last_at} relative />
    </>
  );
}

/** Selects the failures of a group: those that are dead letters have a group of their own. */
function failuresIn(group: Decision, from: string): RunQuery {
  return {
    state: ["failed", "timed_out"],
    from,
    ...(group.reason === null ? {} : { reason: group.reason }),
    ...(group.error_code === null ? {} : { error_code: group.error_code }),
  };
}

interface ButtonsProps {
  kind: Decision["kind"];
  onOpen: (kind: "redrive" | "discard") => void;
}

function Buttons({ kind, onOpen }: ButtonsProps) {
  const may = useMay("operate");
  if (kind !== "dead_letter" && kind !== "failed_run") return null;
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {kind === "dead_letter" && (
        <Button
          disabled={!may.allowed}
          disabledReason={may.why ?? ""}
          onClick={() => {
            onOpen("discard");
          }}
        >
          Discard all
        </Button>
      )}
      <Button
        variant="primary"
        disabled={!may.allowed}
        disabledReason={may.why ?? ""}
        onClick={() => {
          onOpen("redrive");
        }}
      >
        Redrive all
      </Button>
    </SpaceBetween>
  );
}
