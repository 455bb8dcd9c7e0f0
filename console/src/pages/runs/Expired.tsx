import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { type ApiProblem, RouteLink, Said, SameByCommand } from "../../kit";
import { command, request, shellWord } from "../shared/quoting";

interface Props {
  runId: string;
  problem: ApiProblem;
}

/** Says where a run is whose record has expired, and leads there. */
export function Expired({ runId, problem }: Props) {
  const { archived_in: place } = problem.problem;
  return (
    <SpaceBetween size="l">
      <Header variant="h1">Run, archived</Header>
      <Alert type="info" header="The record of this run has expired">
        <SpaceBetween size="xs">
          <Said>{problem.message}</Said>
          <RouteLink to={`/runs/archived/${encodeURIComponent(runId)}`}>Read it from the archive</RouteLink>
          {place !== null && (
            <span>
              Files of its day, for SQL: <Box variant="code">{place}</Box>
            </span>
          )}
        </SpaceBetween>
      </Alert>
      <SameByCommand
        cli={command(`runs get ${shellWord(runId)}`, [["--archived", true]])}
        api={request("GET", `/v1/archive/runs/${encodeURIComponent(runId)}`)}
      />
    </SpaceBetween>
  );
}
