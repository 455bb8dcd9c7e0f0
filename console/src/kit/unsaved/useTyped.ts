import { type SyntheticEvent, useEffect, useRef } from "react";

type Field = HTMLInputElement | HTMLTextAreaElement;

interface Typed {
  /** Frames the fields that are watched. */
  frame: { onFocusCapture: (event: SyntheticEvent) => void; onBeforeInputCapture: (event: SyntheticEvent) => void };
  /** Tells if a field has another text than before it was typed in, also one that another choice has hidden since. */
  isTyped: () => boolean;
}

/**
 * Notes the text of each field before a person types in it; choices are no text, and soon made again. An action that
 * has run without a refusal has sent the text.
 */
export function useTyped(isRunning: boolean, isRefused: boolean): Typed {
  const before = useRef(new Map<Field, string>());
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !isRunning && !isRefused) {
      for (const field of before.current.keys()) before.current.set(field, field.value);
    }
    wasRunning.current = isRunning;
  }, [isRunning, isRefused]);
  const note = ({ target }: SyntheticEvent): void => {
    if (isText(target) && !before.current.has(target)) before.current.set(target, target.value);
  };
  return {
    frame: { onFocusCapture: note, onBeforeInputCapture: note },
    isTyped: () => [...before.current].some(([field, text]) => field.value !== text),
  };
}

function isText(target: EventTarget): target is Field {
  if (target instanceof HTMLTextAreaElement) return !target.readOnly;
  return target instanceof HTMLInputElement && !target.readOnly && !["checkbox", "radio", "file"].includes(target.type);
}
