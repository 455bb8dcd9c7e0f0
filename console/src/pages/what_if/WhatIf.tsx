import SpaceBetween from "@cloudscape-design/components/space-between";

import { Live, readAll, SameByCommand, type Schemas, useApi, useLive, useSearch } from "../../kit";
import { command, request } from "../shared/quoting";
import { Outcome } from "./Outcome";
import { plainScenario, problemsOf, type Question, questionOf, scenarioOf } from "./scenario";
import { WhatIfForm } from "./WhatIfForm";

type Job = Schemas["Job"];

/** Asks what would become of a job's instants, and shows the records beside those without it. */
export default function WhatIf({ job }: { job: Job }) {
  const [search] = useSearch();
  const asked = questionOf(search);
  return (
    <SpaceBetween size="l">
      <WhatIfForm job={job} asked={asked} />
      {asked !== null && Object.keys(problemsOf(asked)).length === 0 && <Answer job={job} question={asked} />}
    </SpaceBetween>
  );
}

function Answer({ job, question }: { job: Job; question: Question }) {
  const scenario = scenarioOf(job.job_id, question);
  const before = useSimulation(job, plainScenario(job.job_id, question));
  const after = useSimulation(job, scenario);
  const text = JSON.stringify(scenario, null, 2);
  return (
    <SpaceBetween size="l">
      <Live live={after}>
        {(changed) => <Live live={before}>{(plain) => <Outcome before={plain} after={changed} />}</Live>}
      </Live>
      <SameByCommand
        cli={`${command(`simulate --job ${job.job_id}`, [["-f", "-"]])} <<'EOF'\n${text}\nEOF`}
        api={`${request("POST", "/v1/simulate")}\n\n${text}`}
      />
    </SpaceBetween>
  );
}

/** Each reading counts as 40 requests of the tenant's rate; one version of the job is simulated once. */
function useSimulation(job: Job, scenario: Schemas["ScenarioContract"]) {
  const api = useApi();
  return useLive({
    key: ["simulation", job.version, scenario],
    read: () => readAll(api.POST("/v1/simulate", { body: scenario })),
    everyMs: () => null,
  });
}
