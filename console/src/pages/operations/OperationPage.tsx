import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import ProgressBar from "@cloudscape-design/components/progress-bar";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Table from "@cloudscape-design/components/table";
import { type ReactNode, useState } from "react";

import {
  CopiedId,
  Instant,
  Live,
  Page,
  readAll,
  Said,
  SameByCommand,
  type Schemas,
  useAct,
  useApi,
  useLive,
  useMay,
  useRouteParam,
} from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { command, request } from "../shared/quoting";
import { State } from "../shared/State";
import { knownWords } from "../shared/stateWords";
import { countsWords, percentDone, subjectWords } from "./operationWords";

type Operation = Schemas["Operation"];

/** An operation that runs is read every 2 seconds: 1,800 requests an hour. */
const PERIOD_MS = 2_000;

export default function OperationPage() {
  const operationId = useRouteParam("operation_id");
  const api = useApi();
  const path = { operation_id: operationId };
  const live = useLive({
    key: ["operation", operationId],
    read: () => readAll(api.GET("/v1/operations/{operation_id}", { params: { path } })),
    everyMs: (operation) => (operation?.status === "running" ? PERIOD_MS : null),
  });
  return (
    <Page
      title={`Operation ${operationId}`}
      crumbs={[
        { text: "Operations", href: "/operations" },
        { text: operationId, href: `/operations/${operationId}` },
      ]}
    >
      <Live live={live}>{(operation) => <Shown operation={operation} onChange={live.refetch} />}</Live>
    </Page>
  );
}

function Shown({ operation, onChange }: { operation: Operation; onChange: () => void }) {
  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        description={subjectWords(operation)}
        actions={<CancelOperation operation={operation} onDone={onChange} />}
      >
        Operation {knownWords({}, operation.kind)} <State state={operation.status} />
      </Header>
      <Standing operation={operation} />
      <Container>
        <SpaceBetween size="m">
          <ProgressBar
            value={operation.status === "succeeded" ? 100 : percentDone(operation)}
            status={
              operation.status === "running"
                ? "in-progress"
                : operation.status === "succeeded"
                  ? "success"
                  : "error"
            }
            label="Progress"
            description={countsWords(operation)}
            resultText={countsWords(operation)}
          />
          <KeyValuePairs
            columns={4}
            items={[
              { label: "Operation", value: <CopiedId id={operation.operation_id} what="operation id" /> },
              { label: "By", value: operation.created_by },
              ...reasonOf(operation),
              { label: "Began", value: <Instant at={operation.created_at} /> },
              { label: "Last step", value: <Instant at={operation.updated_at} /> },
              {
                label: "Ended",
                value: operation.ended_at === null ? "–" : <Instant at={operation.ended_at} />,
              },
            ]}
          />
        </SpaceBetween>
      </Container>
      <Table
        trackBy="item"
        wrapLines
        items={operation.errors}
        ariaLabels={{ tableLabel: "Refusals" }}
        header={
          <Header
            variant="h2"
            counter={`(${operation.counts.failed})`}
            description="The first 20; all are counted."
          >
            Not done
          </Header>
        }
        empty={<Box color="text-body-secondary">Nothing was refused.</Box>}
        columnDefinitions={[
          { id: "item", header: "Item", isRowHeader: true, cell: (each) => each.item },
          { id: "code", header: "Code", cell: (each) => each.code },
          { id: "detail", header: "Detail", cell: (each) => each.detail },
        ]}
      />
      <SameByCommand
        cli={command(`operations watch ${operation.operation_id}`)}
        api={request("GET", `/v1/operations/${operation.operation_id}`)}
      />
    </SpaceBetween>
  );
}

/** The reason that a pause gives to its jobs. */
function reasonOf({ parameters }: Operation): { label: string; value: ReactNode }[] {
  if (!("reason" in parameters) || parameters.reason === null) return [];
  return [{ label: "Reason", value: <Said>{parameters.reason}</Said> }];
}

function Standing({ operation }: { operation: Operation }) {
  if (operation.failure !== null) {
    return (
      <Alert type="error" header={operation.failure.code}>
        {operation.failure.detail}
      </Alert>
    );
  }
  if (operation.stalled) {
    return (
      <Alert type="warning">It made no step for five minutes. The next tick carries it on.</Alert>
    );
  }
  if (operation.waits_for === "job") {
    return <Alert type="info">It waits: its job is paused. Resume the job to go on.</Alert>;
  }
  if (operation.waits_for === "tenant") {
    return <Alert type="info">It waits: its tenant is suspended.</Alert>;
  }
  if (operation.waits_for === "runs") {
    return <Alert type="info">It waits for the end of runs that it began.</Alert>;
  }
  return operation.cancel_requested && operation.status === "running" ? (
    <Alert type="info">It was asked to stop, and does before its next step.</Alert>
  ) : null;
}

function CancelOperation({ operation, onDone }: { operation: Operation; onDone: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const api = useApi();
  const may = useMay("operate");
  const path = { operation_id: operation.operation_id };
  const cancel = useAct(
    () => readAll(api.POST("/v1/operations/{operation_id}/cancel", { params: { path } })),
    () => {
      setIsOpen(false);
      onDone();
    },
  );
  const why =
    may.why ??
    (operation.status !== "running"
      ? "The operation has ended."
      : operation.cancel_requested
        ? "It was asked to stop."
        : null);
  return (
    <>
      <Button
        disabled={why !== null}
        disabledReason={why ?? ""}
        onClick={() => {
          setIsOpen(true);
        }}
      >
        Cancel
      </Button>
      {isOpen && (
        <ActionModal
          title="Cancel this operation?"
          verb="Cancel the operation"
          isRunning={cancel.isRunning}
          problem={cancel.problem}
          onConfirm={cancel.act}
          onDismiss={() => {
            setIsOpen(false);
          }}
          cli={command(`operations cancel ${operation.operation_id}`)}
          api={request("POST", `/v1/operations/${operation.operation_id}/cancel`)}
        >
          <Box variant="p">
            What is done stays done: {countsWords(operation)}. Nothing more is begun.
            {operation.kind === "backfill" && " Runs of it that have not begun are cancelled."}
          </Box>
        </ActionModal>
      )}
    </>
  );
}
