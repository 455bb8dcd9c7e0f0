import { memo, type MouseEvent } from "react";

import { signOf } from "../../dags/picture";
import { stateWords } from "../../shared/stateWords";

interface Props {
  dagRunId: string;
  taskKey: string;
  /** The tasks of its run were read. */
  isRead: boolean;
  /** Null: its run has no such task. */
  state: string | null;
  reason: string | null;
  onFollow: (event: MouseEvent<HTMLAnchorElement>) => void;
}

/** Shows the state of a task in a run. A grid has ten thousand of them: one is drawn anew where it is another. */
export const GridCell = memo(function GridCell({ dagRunId, taskKey, isRead, state, reason, onFollow }: Props) {
  if (!isRead) return <span className="tg-cell tg-cell-unread" />;
  if (state === null) return <span className="tg-visually-hidden">no such task in its version</span>;
  const words = `${taskKey}: ${stateWords(state, reason)}`;
  return (
    <a className="tg-cell-link" href={`/dag-runs/${dagRunId}?view=tasks&task=${taskKey}`} aria-label={words} onClick={onFollow}>
      <span className={`tg-cell tg-cell-${state}`} title={words} aria-hidden="true">
        {signOf(state)}
      </span>
    </a>
  );
});
