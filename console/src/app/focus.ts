import { type RefObject, useEffect } from "react";

const FOCUSABLE =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex='0']";

/** An element's place in a frame: each element around it, and the number of the child of that which holds it. */
type Way = readonly (readonly [Element, number])[];

interface Focused {
  element: Element;
  way: Way;
}

/**
 * Keeps the keyboard's place in a frame. A row that vanishes, or a button that another one replaces, takes the focus
 * along; a dialog gives it back to what may be gone. What stands there instead, or next to it, has it then.
 */
export function useFocusKept(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Focused | null = null;
    const note = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element) || frame.current === null || target === frame.current) last = null;
      else if (frame.current.contains(target)) last = { element: target, way: wayTo(target, frame.current) };
      else if (target.closest("[role='dialog']") === null) last = null;
    };
    // A press beside everything that can be focused leaves it by intent.
    const forget = ({ target }: Event): void => {
      if (!(target instanceof Element) || target.closest("[role='dialog']") !== null) return;
      if (document.activeElement === document.body || document.activeElement?.contains(target) !== true) last = null;
    };
    const mend = (): void => {
      if (last === null || document.activeElement !== document.body || isDialogOpen()) return;
      if (last.element.isConnected && !last.element.matches(":disabled")) return;
      const next = nextTo(last.way) ?? frame.current;
      next?.focus({ preventScroll: next === frame.current });
    };
    // A dialog gives the focus back after it is gone.
    const observer = new MutationObserver(() => {
      if (last !== null && document.activeElement === document.body) setTimeout(mend);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("focusin", note);
    document.addEventListener("pointerdown", forget, true);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", note);
      document.removeEventListener("pointerdown", forget, true);
    };
  }, [frame]);
}

function wayTo(element: Element, frame: Element): Way {
  const way: [Element, number][] = [];
  for (let child = element; child !== frame && child.parentElement !== null; child = child.parentElement) {
    way.push([child.parentElement, [...child.parentElement.children].indexOf(child)]);
  }
  return way;
}

/** Returns what takes the focus at a place whose element is gone: what stands there by now or behind it, or else before it. */
function nextTo(way: Way): HTMLElement | null {
  for (const [parent, number] of way.filter(([each]) => each.isConnected)) {
    const children = [...parent.children];
    const behind = children.slice(number).flatMap(focusableIn)[0];
    const found = behind ?? children.slice(0, number).flatMap(focusableIn).at(-1);
    if (found !== undefined) return found;
  }
  return null;
}

function focusableIn(element: Element): HTMLElement[] {
  const within = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const all = element instanceof HTMLElement && element.matches(FOCUSABLE) ? [element, ...within] : within;
  return all.filter((each) => each.closest("[aria-hidden='true']") === null && isSeen(each));
}

// A browser for tests lays nothing out.
const isSeen = (element: Element): boolean => typeof element.checkVisibility !== "function" || element.checkVisibility();

const isDialogOpen = (): boolean =>
  [...document.querySelectorAll("[role='dialog']")].some((each) => each.getClientRects().length > 0);
