import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";

/** A button of a page's header. */
export interface RowAction {
  text: string;
  /** The reason why it is disabled; `null`: it can be pressed. */
  why: string | null;
  onClick: () => void;
  /** Stands out: the action that a person looks for first. */
  isPrimary?: boolean;
}

/** Shows the actions of a page in a row; one that a role or a state forbids says why. */
export function ActionRow({ actions }: { actions: readonly RowAction[] }) {
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {actions.map(({ text, why, onClick, isPrimary }) => (
        <Button
          key={text}
          variant={isPrimary === true ? "primary" : "normal"}
          disabled={why !== null}
          disabledReason={why ?? ""}
          onClick={onClick}
        >
          {text}
        </Button>
      ))}
    </SpaceBetween>
  );
}
