import Box from "@cloudscape-design/components/box";
import ExpandableSection from "@cloudscape-design/components/expandable-section";
import SegmentedControl from "@cloudscape-design/components/segmented-control";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { Instant, type Schemas } from "../../kit";
import { State } from "../shared/State";
import { RunFacts } from "./RunFacts";

type Run = Schemas["Run"];

/** Chooses one of a run's attempts. */
export function ChooseAttempt(props: { run: Run; chosen: number; onChoose: (attempt: number) => void }) {
  return (
    <SegmentedControl
      label="Attempt"
      selectedId={String(props.chosen)}
      options={props.run.attempts.map((each) => ({
        id: String(each.attempt),
        text: `Attempt ${each.attempt}`,
      }))}
      onChange={({ detail }) => {
        props.onChoose(Number(detail.selectedId));
      }}
    />
  );
}

/** Shows every attempt of a run, the last one first. */
export function AllAttempts({ run }: { run: Run }) {
  return (
    <SpaceBetween size="s">
      {run.attempts
        .map((each) => (
          <ExpandableSection
            key={each.attempt}
            defaultExpanded={each.attempt === run.attempt}
            headerText={`Attempt ${each.attempt}`}
            headerDescription={each.explanation}
          >
            <SpaceBetween size="xs">
              <State state={each.state} reason={each.reason} />
              {each.error !== null && (
                <Box variant="p">
                  {each.error.code}: {each.error.message}
                </Box>
              )}
              {each.resolution !== null && (
                <Box variant="p">
                  {each.resolution.settled} by {each.resolution.by},{" "}
                  <Instant at={each.resolution.at} />
                  {each.resolution.note === null ? "" : `: ${each.resolution.note}`}
                </Box>
              )}
              <RunFacts run={run} attempt={each} plain />
            </SpaceBetween>
          </ExpandableSection>
        ))
        .reverse()}
    </SpaceBetween>
  );
}
