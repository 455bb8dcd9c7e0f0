import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";

import {
  Live,
  Page,
  readAll,
  SameByCommand,
  type Schemas,
  useApi,
  useLive,
  useNow,
  useSearch,
} from "../../kit";
import { command, request } from "../shared/quoting";
import { Since, sinceInstant, sinceOf } from "../shared/Since";
import { ApprovalCard } from "./ApprovalCard";
import { GroupCard } from "./GroupCard";

/** One request of weight 10 every minute while the page is in sight. */
const PERIOD_MS = 60_000;
const YEAR_MS = 366 * 86_400_000;

export default function DecisionsPage() {
  const [search] = useSearch();
  const now = useNow(PERIOD_MS);
  const since = sinceOf(search, "7d");
  const from = sinceInstant(since, now) ?? new Date(now - YEAR_MS).toISOString();
  const api = useApi();
  const live = useLive({
    key: ["decisions", since],
    read: () => readAll(api.GET("/v1/decisions", { params: { query: { from } } })),
    everyMs: () => PERIOD_MS,
  });
  return (
    <Page title="Needs a decision" crumbs={[{ text: "Needs a decision", href: "/decisions" }]}>
      <SpaceBetween size="l">
        <Header
          variant="h1"
          description="What Timegate gave up or paused, or asks a person, and no operator has decided yet: one cause, one decision."
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              <Since fallback="7d" />
              <Button iconName="refresh" ariaLabel="Read again" onClick={live.refetch} />
            </SpaceBetween>
          }
        >
          Needs a decision
        </Header>
        <Live live={live}>
          {(decisions) => <Shown decisions={decisions} onChange={live.refetch} />}
        </Live>
        <SameByCommand
          cli={command("decisions", [["--since", since === "all" ? from : since]])}
          api={request("GET", "/v1/decisions", { from })}
        />
      </SpaceBetween>
    </Page>
  );
}

interface ShownProps {
  decisions: Schemas["DecisionList"];
  onChange: () => void;
}

function Shown({ decisions, onChange }: ShownProps) {
  if (decisions.groups.length === 0 && decisions.approvals.length === 0) {
    return (
      <Box textAlign="center" padding="xxl">
        <Box variant="h2">Nothing waits for you</Box>
        <Box color="text-body-secondary">
          Runs that are given up, fail for good, or pause their job appear here, by their cause, and
          tasks that wait for an approval.
        </Box>
      </Box>
    );
  }
  return (
    <SpaceBetween size="l">
      {decisions.approvals_are_partial && (
        <Alert type="info">Approvals are counted among the latest ones: there are more.</Alert>
      )}
      {decisions.approvals.map((group) => (
        <ApprovalCard
          key={`${group.dag_id} ${group.task_key}`}
          group={group}
          onChange={onChange}
        />
      ))}
      {decisions.is_partial && (
        <Alert type="info">
          Counts are of the latest {decisions.read} failed runs: there are more. A decision on a
          group of dead letters meets every one of its cause.
        </Alert>
      )}
      {decisions.groups.map((group) => (
        <GroupCard
          key={`${group.kind} ${group.reason ?? ""} ${group.error_code ?? ""}`}
          group={group}
          from={decisions.since}
          onChange={onChange}
        />
      ))}
    </SpaceBetween>
  );
}
