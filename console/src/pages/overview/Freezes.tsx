import Box from "@cloudscape-design/components/box";
import Header from "@cloudscape-design/components/header";
import Table from "@cloudscape-design/components/table";

import { Instant, RouteLink, Said, type Schemas } from "../../kit";
import { scopeWords } from "../restrictions/freezeWords";
import { State } from "../shared/State";

type Freeze = Schemas["Freeze"];

/** Lists freezes in force, and those still to start. */
export function Freezes({ freezes }: { freezes: readonly Freeze[] }) {
  return (
    <Table
      items={freezes}
      trackBy="freeze_id"
      wrapLines
      ariaLabels={{ tableLabel: "Freezes" }}
      header={
        <Header variant="h2" actions={<RouteLink to="/calendars">Calendars and freezes</RouteLink>}>
          Freezes
        </Header>
      }
      empty={<Box textAlign="center">Nothing is frozen, and nothing will be.</Box>}
      columnDefinitions={[
        { id: "scope", minWidth: 140, header: "Scope", isRowHeader: true, cell: ({ scope }) => scopeWords(scope) },
        { id: "state", minWidth: 130, header: "State", cell: ({ state }) => <State state={state} /> },
        { id: "reason", minWidth: 200, header: "Reason", cell: ({ reason }) => <Said>{reason}</Said> },
        { id: "starts", minWidth: 170, header: "Starts", cell: ({ starts_at: at }) => <Instant at={at} /> },
        { id: "ends", minWidth: 120, header: "Ends", cell: ({ ends_at: at }) => <Instant at={at} relative /> },
      ]}
    />
  );
}
