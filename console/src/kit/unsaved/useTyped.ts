import { type SyntheticEvent, useCallback, useEffect, useRef } from "react";

import { guard, holdsTaken } from "../../auth/drafts";

type Field = HTMLInputElement | HTMLTextAreaElement;

interface Typed {
  /** Frames the fields that are watched. */
  frame: { onFocusCapture: (event: SyntheticEvent) => void; onBeforeInputCapture: (event: SyntheticEvent) => void };
  /** Tells if a field has another text than before it was typed in, also one that another choice has hidden since. */
  isTyped: () => boolean;
}

const NOT_SENT = "What is typed in this dialog is not sent, and is lost once you leave.";

/**
 * Notes the text of each field before a person types in it; choices are no text, and soon made again. An action that
 * has run without a refusal has sent the text, and one that runs is sending it. A person who leaves the page is asked first.
 */
export function useTyped(isRunning: boolean, isRefused: boolean): Typed {
  const before = useRef(new Map<Field, string>());
  const wasRunning = useRef(false);
  const isSent = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !isRunning && !isRefused) {
      isSent.current = true;
      for (const field of before.current.keys()) before.current.set(field, field.value);
    }
    wasRunning.current = isRunning;
  }, [isRunning, isRefused]);
  const note = ({ target }: SyntheticEvent): void => {
    if (isText(target) && !before.current.has(target)) before.current.set(target, target.value);
  };
  // What was found again after a sign-in was typed before these fields were there.
  const isTyped = useCallback(
    () => (!isSent.current && holdsTaken()) || [...before.current].some(([field, text]) => field.value !== text),
    [],
  );
  useEffect(() => guard(() => (!isRunning && isTyped() ? NOT_SENT : null)), [isRunning, isTyped]);
  return {
    frame: { onFocusCapture: note, onBeforeInputCapture: note },
    isTyped,
  };
}

function isText(target: EventTarget): target is Field {
  if (target instanceof HTMLTextAreaElement) return !target.readOnly;
  return target instanceof HTMLInputElement && !target.readOnly && !["checkbox", "radio", "file"].includes(target.type);
}
