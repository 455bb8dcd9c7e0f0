import Button from "@cloudscape-design/components/button";
import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { useState } from "react";

import { useNow, useSearch } from "../../kit";
import { pastInstantOf } from "../shared/instants";
import { Answer } from "./Answer";

const MINUTE_MS = 60_000;

/** Asks on a job's own page what became of one of its instants; the address names it. */
export default function WhyNot({ jobId }: { jobId: string }) {
  const [search, setSearch] = useSearch();
  const now = useNow(MINUTE_MS);
  const asked = search.get("why") ?? "";
  const [at, setAt] = useState(asked);
  const instant = pastInstantOf(at, now);
  return (
    <SpaceBetween size="l">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (instant !== null) setSearch({ why: new Date(instant).toISOString() });
        }}
      >
        <SpaceBetween size="m">
          <FormField
            label="Why did it not run at"
            description="02:30 is the last one on your clock. An instant has its zone: 2026-11-21T02:30:00Z; without one, it is in yours."
            errorText={at !== "" && instant === null ? "This is no instant." : null}
          >
            <Input
              value={at}
              placeholder="02:30"
              onChange={({ detail }) => {
                setAt(detail.value.trim());
              }}
            />
          </FormField>
          <Button formAction="submit" disabled={instant === null}>
            Explain
          </Button>
        </SpaceBetween>
      </form>
      {pastInstantOf(asked, now) !== null && (
        <Answer job={jobId} at={asked} placeOf={(other) => `/jobs/${jobId}?tab=why&why=${other}`} />
      )}
    </SpaceBetween>
  );
}
