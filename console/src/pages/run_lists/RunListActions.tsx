import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { lazy, type ReactNode, Suspense } from "react";

import { type Schemas, useKept, useMay } from "../../kit";
import { ActionRow } from "../shared/ActionRow";
import type { ManyKind } from "./SelectedRuns";

const SelectedRuns = lazy(() => import("./SelectedRuns"));

interface Action {
  id: string;
  label: string;
  /** The reason why it cannot be done; null: it can. */
  refusal: string | null;
  /** The question that it asks. */
  ask: (onDismiss: () => void) => ReactNode;
}

interface Props {
  kinds: readonly ManyKind[];
  selected: readonly Schemas["NamedRun"][];
  /** Actions on all that match. */
  matching: readonly Action[];
  onRefresh: () => void;
  onDone: () => void;
}

const LABELS: Record<ManyKind, string> = { redrive: "Redrive", cancel: "Cancel", reschedule: "Reschedule" };

/**
 * Buttons of what is done with chosen runs, or with all that match. They know which question is open, so that no row of
 * the list is rendered anew for it.
 */
export function RunListActions({ kinds, selected, matching, onRefresh, onDone }: Props) {
  const [asked, setAsked] = useKept<string | null>("act on runs", null);
  const may = useMay("operate");
  const close = (): void => {
    setAsked(null);
  };
  const actions: readonly Action[] = [
    ...kinds.map((kind) => ({
      id: kind,
      label: LABELS[kind],
      refusal: selected.length === 0 ? "Choose runs first." : null,
      ask: () => (
        <SelectedRuns
          kind={kind}
          runs={selected}
          onClose={() => {
            close();
            onDone();
          }}
        />
      ),
    })),
    ...matching,
  ];
  return (
    <>
      <SpaceBetween direction="horizontal" size="xs">
        <ActionRow
          actions={actions.map(({ id, label, refusal }) => ({
            text: label,
            why: may.why ?? refusal,
            onClick: () => { setAsked(id); },
          }))}
        />
        <Button iconName="refresh" ariaLabel="Read again" onClick={onRefresh} />
      </SpaceBetween>
      <Suspense fallback={null}>{actions.find(({ id }) => id === asked)?.ask(close)}</Suspense>
    </>
  );
}
