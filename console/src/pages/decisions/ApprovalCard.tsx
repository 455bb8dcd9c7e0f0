import Button from "@cloudscape-design/components/button";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Table from "@cloudscape-design/components/table";
import { lazy, Suspense } from "react";

import { Instant, isolated, RouteLink, type Schemas, useKept, useMay } from "../../kit";

/** Loaded on request, so that the page stays within its budget. */
const DecideMany = lazy(() => import("./DecideMany"));

type Decision = Schemas["TaskDecision"]["decision"];

interface Props {
  group: Schemas["ApprovalGroup"];
  onChange: () => void;
}

/** Shows the approvals of one task of a DAG, and lets all of them be decided. */
export function ApprovalCard({ group, onChange }: Props) {
  const [open, setOpen] = useKept<Decision | null>(`decide ${group.dag_id} ${group.task_key}`, null);
  const may = useMay("operate");
  const name = isolated(group.dag_name ?? group.dag_id);
  return (
    <Container
      header={
        <Header
          variant="h2"
          counter={`(${group.count})`}
          description={
            <>
              First <Instant at={group.first_at} />, last <Instant at={group.last_at} relative />;
              the first one ends by itself <Instant at={group.until} />
            </>
          }
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              {(["reject", "approve"] as const).map((decision) => (
                <Button
                  key={decision}
                  variant={decision === "approve" ? "primary" : "normal"}
                  disabled={!may.allowed}
                  disabledReason={may.why ?? ""}
                  onClick={() => {
                    setOpen(decision);
                  }}
                >
                  {decision === "approve" ? "Approve all" : "Reject all"}
                </Button>
              ))}
            </SpaceBetween>
          }
        >
          Waits for approval: {name}, {group.task_key}
        </Header>
      }
    >
      <Table
        variant="embedded"
        trackBy="dag_run_id"
        wrapLines
        items={group.latest}
        ariaLabels={{ tableLabel: `Latest approvals of ${name}, ${group.task_key}` }}
        columnDefinitions={[
          {
            id: "run",
            header: "Latest DAG runs",
            isRowHeader: true,
            minWidth: 180,
            cell: (each) => (
              <RouteLink to={`/dag-runs/${each.dag_run_id}?view=tasks`}>{each.dag_run_id}</RouteLink>
            ),
          },
          { id: "since", header: "Since", minWidth: 160, cell: (each) => <Instant at={each.since} /> },
          { id: "until", header: "Until", minWidth: 160, cell: (each) => <Instant at={each.until} /> },
        ]}
      />
      {open !== null && (
        <Suspense fallback={null}>
          <DecideMany
            decision={open}
            group={group}
            onDismiss={() => {
              setOpen(null);
            }}
            onDone={() => {
              setOpen(null);
              onChange();
            }}
          />
        </Suspense>
      )}
    </Container>
  );
}
