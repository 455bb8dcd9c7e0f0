
import { type Schemas, useKept, useMay } from "../../kit";
import type { PictureEdge } from "../dags/picture";
import { ActionRow } from "../shared/ActionRow";
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
  const [open, setOpen] = useKept<Kind | null>(`act on ${task.key}`, null);
  const may = useMay("operate");
  const close = (): void => {
    setOpen(null);
  };
  return (
    <>
      <ActionRow
        actions={BUTTONS.map(([kind, text]) => {
          const wish =
            kind === "rerun"
              ? ({ kind, key: task.key, scope: "branch" } as const)
              : { kind, key: task.key };
          const why = may.why ?? foretell(wish, run.status, run.tasks, edges).refusal;
          return { text, why, onClick: () => { setOpen(kind); } };
        })}
      />
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
