import Button from "@cloudscape-design/components/button";
import Container from "@cloudscape-design/components/container";
import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { useState } from "react";

import { Page, useNow, useSearch } from "../../kit";
import { pastInstantOf } from "../shared/instants";
import { Answer, SameAs } from "./Answer";

const MINUTE_MS = 60_000;
const JOB = /^(?:(?:dag:)?[a-z2-7]{26}|key:[a-z0-9][a-z0-9._-]{0,63})$/;

/** Answers for one job and one instant: it ran, or the reason why it did not. */
export function WhyPage() {
  const [search, setSearch] = useSearch();
  const asked = { job: search.get("job") ?? "", at: search.get("at") ?? "" };
  const [job, setJob] = useState(asked.job);
  const [at, setAt] = useState(asked.at);
  const [of, setOf] = useState(asked);
  // A link to the instant before, or the browser's way back, asks another question.
  if (of.job !== asked.job || of.at !== asked.at) {
    setOf(asked);
    setJob(asked.job);
    setAt(asked.at);
  }
  const now = useNow(MINUTE_MS);
  const refusal = refusalOf(job, at, now);
  return (
    <Page title="Why did it not run?" crumbs={[{ text: "Why did it not run?", href: "/why" }]} heading>
      <Container>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const instant = pastInstantOf(at, now);
            if (refusal === null && instant !== null) setSearch({ job, at: new Date(instant).toISOString() });
          }}
        >
          <SpaceBetween size="m">
            <FormField label="Job" description="Its id of 26 letters and digits, or key: and its key.">
              <Input value={job} placeholder="bwjvcytzr72gxmnvxjbslykqdc" onChange={({ detail }) => { setJob(detail.value.trim()); }} />
            </FormField>
            <FormField
              label="Instant"
              description="With its zone: 2026-11-21T09:00:00Z. Without one, it is read in your zone; 02:30 is the last one."
              errorText={job !== "" && at !== "" ? refusal : null}
            >
              <Input value={at} placeholder="2026-11-21T09:00:00Z" onChange={({ detail }) => { setAt(detail.value.trim()); }} />
            </FormField>
            <Button variant="primary" formAction="submit" disabled={refusal !== null}>
              Explain
            </Button>
          </SpaceBetween>
        </form>
      </Container>
      {refusalOf(asked.job, asked.at, now) === null ? <Answer job={asked.job} at={asked.at} placeOf={(other) => `/why?job=${asked.job}&at=${other}`} /> : <SameAs job="JOB_ID" at="INSTANT" />}
    </Page>
  );
}

function refusalOf(job: string, at: string, now: number): string | null {
  if (!JOB.test(job)) return "This is no id of a job, and no key.";
  return pastInstantOf(at, now) === null ? "This is no instant." : null;
}
