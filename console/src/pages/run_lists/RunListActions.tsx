import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { lazy, Suspense, useState } from "react";

import { type Schemas, useMay } from "../../kit";
import type { ManyKind } from "./SelectedRuns";

const SelectedRuns = lazy(() => import("./SelectedRuns"));

interface Action {
  id: string;
  label: string;
  /** The reason why it cannot be done; null: it can. */
  refusal: string | null;
  onClick: () => void;
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

/** Buttons of what is done with chosen runs, or with all that match. */
export function RunListActions({ kinds, selected, matching, onRefresh, onDone }: Props) {
  const [kind, setKind] = useState<ManyKind | null>(null);
  const may = useMay("operate");
  const actions = [
    ...kinds.map((each) => ({
      id: each,
      label: LABELS[each],
      refusal: selected.length === 0 ? "Choose runs first." : null,
      onClick: () => {
        setKind(each);
      },
    })),
    ...matching,
  ];
  return (
    <>
      <SpaceBetween direction="horizontal" size="xs">
        {actions.map(({ id, label, refusal, onClick }) => {
          const why = may.why ?? refusal;
          return (
            <Button key={id} disabled={why !== null} disabledReason={why ?? ""} onClick={onClick}>
              {label}
            </Button>
          );
        })}
        <Button iconName="refresh" ariaLabel="Read again" onClick={onRefresh} />
      </SpaceBetween>
      {kind !== null && (
        <Suspense fallback={null}>
          <SelectedRuns
            kind={kind}
            runs={selected}
            onClose={() => {
              setKind(null);
              onDone();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
