import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";

import {
  Instant,
  Live,
  Page,
  readAll,
  RouteLink,
  SameByCommand,
  type Schemas,
  useApi,
  useLive,
  useRouteParam,
  useSearch,
} from "../../kit";
import { AllAttempts, ChooseAttempt } from "../runs/Attempts";
import { Ending } from "../runs/Ending";
import { ownerOf } from "../runs/told/owner";
import { RunFacts } from "../runs/RunFacts";
import { WhereTheTimeWent } from "../runs/waterfall/Waterfall";
import { JsonText } from "../shared/json/JsonText";
import { command, request, shellWord } from "../shared/quoting";
import { State } from "../shared/State";

type Run = Schemas["Run"];

/** Shows a run as it was when it was archived. */
export default function ArchivedRunPage() {
  const runId = useRouteParam("run_id");
  const api = useApi();
  const live = useLive({
    key: ["archived-run", runId],
    read: () => readAll(api.GET("/v1/archive/runs/{run_id}", { params: { path: { run_id: runId } } })),
    everyMs: () => null,
  });
  return (
    <Page
      title={`Archived run of ${ownerOf(runId).id ?? "a rule"}`}
      crumbs={[
        { text: "Archived runs", href: "/runs/archived" },
        { text: runId, href: `/runs/archived/${encodeURIComponent(runId)}` },
      ]}
    >
      <Live live={live}>{(run) => <Shown run={run} />}</Live>
      <SameByCommand
        cli={command(`runs get ${shellWord(runId)}`, [["--archived", true]])}
        api={request("GET", `/v1/archive/runs/${encodeURIComponent(runId)}`)}
      />
    </Page>
  );
}

function Shown({ run }: { run: Run }) {
  const [search, setSearch] = useSearch();
  const chosen = Number(search.get("attempt") ?? run.attempts.length);
  const attempt = run.attempts.find((each) => each.attempt === chosen) ?? run.attempts.at(-1);
  if (attempt === undefined) return null;
  const choice = (
    <ChooseAttempt
      run={run}
      chosen={attempt.attempt}
      onChoose={(number) => {
        setSearch({ attempt: String(number) });
      }}
    />
  );
  return (
    <SpaceBetween size="l">
      <Header variant="h1" description={<Instant at={run.scheduled_at} both />}>
        Archived run <State state={run.state} reason={run.reason} />
      </Header>
      <Alert type="info">
        It is shown as it was when it was archived. Its log and a large result are not archived; what was decided later
        is in the <RouteLink to={`/audit?resource=run/${encodeURIComponent(run.run_id)}&since=all`}>audit trail</RouteLink> for 400 days.
      </Alert>
      <Ending run={run} />
      <RunFacts run={run} attempt={attempt} />
      <Container
        header={
          <Header variant="h2" actions={run.attempts.length > 1 && choice}>
            Where the time went
          </Header>
        }
      >
        <WhereTheTimeWent attempt={attempt} now={Date.parse(attempt.ended_at ?? run.scheduled_at)} />
      </Container>
      <Container header={<Header variant="h2">Payload</Header>}>
        {run.payload_from === "run" ? (
          <JsonText label="Payload of the run" value={run.payload} />
        ) : (
          <Box color="text-body-secondary">It had the payload of its job.</Box>
        )}
      </Container>
      <Container header={<Header variant="h2">Attempts ({run.attempts.length})</Header>}>
        <AllAttempts run={run} />
      </Container>
    </SpaceBetween>
  );
}
