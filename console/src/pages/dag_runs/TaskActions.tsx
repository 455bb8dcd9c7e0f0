import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { useState } from "react";

import { type Schemas, useMay } from "../../kit";
import type { PictureEdge } from "../dags/picture";
import { foretell } from "./consequences";
import { InterveneModal, type Kind } from "./InterveneModal";

interface Props {
  run: Schemas["DagRun"];
  task: Schemas["DagRunTask"];
  edges: readonly PictureEdge[];
  onDone: () => void;
}

const BUTTONS: readonly (readonly [Kind, string])[] = [
  ["rerun", "Rerun"],
  ["complete", "Complete"],
  ["skip", "Skip"],
];

/** Buttons of what an operator does with a task. */
export function TaskActions({ run, task, edges, onDone }: Props) {
  const [open, setOpen] = useState<Kind | null>(null);
  const may = useMay("operate");
  const close = (): void => {
    setOpen(null);
  };
  return (
    <>
      <SpaceBetween direction="horizontal" size="xs">
        {BUTTONS.map(([kind, label]) => {
          const wish =
            kind === "rerun"
              ? ({ kind, key: task.key, scope: "branch" } as const)
              : { kind, key: task.key };
          const why = may.why ?? foretell(wish, run.status, run.tasks, edges).refusal;
          return (
            <Button
              key={kind}
              disabled={why !== null}
              disabledReason={why ?? ""}
              onClick={() => {
                setOpen(kind);
              }}
            >
              {label}
            </Button>
          );
        })}
      </SpaceBetween>
      {open !== null && (
        <InterveneModal
          kind={open}
          run={run}
          task={task}
          edges={edges}
          onDismiss={close}
          onDone={() => {
            close();
            onDone();
          }}
        />
      )}
    </>
  );
}
