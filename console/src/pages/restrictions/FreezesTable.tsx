import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Toggle from "@cloudscape-design/components/toggle";
import { useState } from "react";

import {
  Instant,
  ProblemAlert,
  readAll,
  RouteLink,
  type Schemas,
  useAct,
  useApi,
  useMay,
  useSearch,
} from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { ListedTable } from "../shared/listing/ListedTable";
import { command, request } from "../shared/quoting";
import { State } from "../shared/State";
import { knownWords } from "../shared/stateWords";
import { useListing } from "../shared/listing/useListing";
import { ofStageWords, scopeWords, THAW_WORDS } from "./freezeWords";

type Freeze = Schemas["Freeze"];

/** The first page is read once a minute while the page is in sight: 60 requests an hour. */
const PERIOD_MS = 60_000;

/** Lists freezes, those of the stage among them, and lifts them. */
export function FreezesTable() {
  const [search, setSearch] = useSearch();
  const [lifted, setLifted] = useState<Freeze | null>(null);
  const may = useMay("operate");
  const api = useApi();
  const isAll = search.get("ended") === "shown";
  const listing = useListing(
    ["freezes", isAll],
    (cursor) =>
      readAll(
        api.GET("/v1/freezes", {
          params: { query: { unended: !isAll, ...(cursor === null ? {} : { cursor }) } },
        }),
      ),
    PERIOD_MS,
  );
  return (
    <SpaceBetween size="s">
      <Toggle
        checked={isAll}
        onChange={({ detail }) => {
          setSearch({ ended: detail.checked ? "shown" : null });
        }}
      >
        Show freezes that ended
      </Toggle>
      {listing.problem !== null && <ProblemAlert problem={listing.problem} />}
      <ListedTable
        variant="borderless"
        trackBy="freeze_id"
        wrapLines
        listing={listing}
        what="freezes"
        ariaLabels={{ tableLabel: "Freezes" }}
        empty={
          <Box color="text-body-secondary">
            {isAll ? "There was no freeze." : "Nothing is frozen, and no freeze is scheduled."}
          </Box>
        }
        columnDefinitions={[
          {
            id: "scope",
            header: "Scope",
            isRowHeader: true,
            minWidth: 160,
            cell: (each) => <Scope freeze={each} />,
          },
          { id: "state", header: "State", minWidth: 120, cell: (each) => <State state={each.state} /> },
          { id: "starts", header: "Starts", minWidth: 150, cell: (each) => <Instant at={each.starts_at} /> },
          { id: "ends", header: "Ends", minWidth: 150, cell: (each) => <Instant at={each.lifted_at ?? each.ends_at} /> },
          { id: "thaw", header: "At the thaw", minWidth: 180, cell: (each) => knownWords(THAW_WORDS, each.thaw) },
          { id: "reason", header: "Reason", minWidth: 160, cell: (each) => each.reason || "–" },
          {
            id: "act",
            header: "Decide",
            cell: (each) => (
              <LiftButton
                freeze={each}
                why={may.why}
                onOpen={() => {
                  setLifted(each);
                }}
              />
            ),
          },
        ]}
      />
      {lifted !== null && (
        <LiftModal
          freeze={lifted}
          onDismiss={() => {
            setLifted(null);
          }}
        />
      )}
    </SpaceBetween>
  );
}

function Scope({ freeze }: { freeze: Freeze }) {
  if (freeze.scope.kind === "job") {
    return <RouteLink to={`/jobs/${freeze.scope.job_id}`}>job {freeze.scope.job_id}</RouteLink>;
  }
  return <>{scopeWords(freeze.scope)}</>;
}

function LiftButton(props: { freeze: Freeze; why: string | null; onOpen: () => void }) {
  const { freeze, onOpen } = props;
  if (freeze.state === "ended" || freeze.state === "lifted") {
    return <>–</>;
  }
  const why =
    props.why ?? (freeze.by_stage ? ofStageWords(freeze) : null);
  return (
    <Button
      variant="inline-link"
      ariaLabel={`Lift the freeze of ${scopeWords(freeze.scope)}`}
      disabled={why !== null}
      disabledReason={why ?? ""}
      onClick={onOpen}
    >
      Lift
    </Button>
  );
}

function LiftModal({ freeze, onDismiss }: { freeze: Freeze; onDismiss: () => void }) {
  const api = useApi();
  const path = { freeze_id: freeze.freeze_id };
  const lift = useAct(
    () => readAll(api.DELETE("/v1/freezes/{freeze_id}", { params: { path } })),
    onDismiss,
  );
  return (
    <ActionModal
      title={`Lift the freeze of ${scopeWords(freeze.scope)}?`}
      verb="Lift the freeze"
      isRunning={lift.isRunning}
      problem={lift.problem}
      onConfirm={lift.act}
      onDismiss={onDismiss}
      cli={command(`freezes lift ${freeze.freeze_id}`)}
      api={request("DELETE", `/v1/freezes/${freeze.freeze_id}`)}
    >
      <Box variant="p">
        It ends now. Of what it held back: {knownWords(THAW_WORDS, freeze.thaw).toLowerCase()}.
      </Box>
    </ActionModal>
  );
}
