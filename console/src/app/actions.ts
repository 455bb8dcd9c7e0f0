/** An action that the command palette offers. */
export interface Action {
  label: string;
  run: () => void;
}

/** Marks actions among the palette's entries. */
export const MARK = "> ";
/** Buttons of rows are reached in their rows: their words alone do not name a row. */
const OF_LISTS = "table, [role=tablist], [role=dialog], nav, .tg-gantt, .tg-graph-canvas";

/** Lists what the buttons of a page do; those that are disabled do nothing. */
export function actionsOf(page: ParentNode): Action[] {
  const buttons = [...page.querySelectorAll<HTMLButtonElement>("main button")].filter(isOffered);
  const byLabel = new Map(buttons.reverse().map((button) => [labelOf(button), button]));
  return [...byLabel].reverse().map(([label, button]) => ({
    label: `${MARK}${label}`,
    run: () => {
      button.focus();
      button.click();
    },
  }));
}

function isOffered(button: HTMLButtonElement): boolean {
  const isDisabled = button.disabled || button.getAttribute("aria-disabled") === "true";
  return !isDisabled && labelOf(button) !== "" && button.closest(OF_LISTS) === null;
}

const labelOf = (button: HTMLButtonElement): string =>
  (button.getAttribute("aria-label") ?? button.textContent).trim();
