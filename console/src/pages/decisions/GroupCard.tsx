import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { useState } from "react";

import { Instant, RouteLink, type Schemas, useMay } from "../../kit";
import { likelyCause } from "../runs/causes";
import { causeOf, KIND_ADVICE, KIND_WORDS, listingOf } from "./decisionWords";
import { LatestRuns } from "./LatestRuns";
import { SettleMany } from "./SettleMany";

type Decision = Schemas["Decision"];

interface Props {
  group: Decision;
  from: string;
  onChange: () => void;
}

/** Shows what waits for one cause, and what can be decided about it. */
export function GroupCard({ group, from, onChange }: Props) {
  const [open, setOpen] = useState<"redrive" | "discard" | null>(null);
  const cause = likelyCause(group.error_code, group.reason);
  return (
    <Container
      header={
        <Header
          variant="h2"
          counter={`(${group.count})`}
          description={<Extent group={group} />}
          actions={group.kind === "dead_letter" ? <Buttons onOpen={setOpen} /> : null}
        >
          {KIND_WORDS[group.kind]}: {causeOf(group)}
        </Header>
      }
    >
      <SpaceBetween size="s">
        <Box variant="p">
          {cause !== null && `${cause.cause} ${cause.advice} `}
          {KIND_ADVICE[group.kind]}
        </Box>
        <LatestRuns group={group} onChange={onChange} />
        {group.kind === "paused_job" ? (
          <RouteLink to="/jobs?status=paused">All paused jobs</RouteLink>
        ) : (
          <RouteLink to={listingOf(group)}>All runs of this cause</RouteLink>
        )}
      </SpaceBetween>
      {open !== null && (
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

function Buttons({ onOpen }: { onOpen: (kind: "redrive" | "discard") => void }) {
  const may = useMay("operate");
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button
        disabled={!may.allowed}
        disabledReason={may.why ?? ""}
        onClick={() => {
          onOpen("discard");
        }}
      >
        Discard all
      </Button>
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
