import { useEffect } from "react";
import { useBlocker } from "react-router";

import { isUnsaved } from "../auth/drafts";
import { UnsavedQuestion } from "../kit";

/** Asks before a page is left whose form has something that is not stored; the browser asks where the window leaves. */
export function Leaving() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && isUnsaved(),
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (isUnsaved()) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => {
      removeEventListener("beforeunload", ask);
    };
  }, []);
  if (blocker.state !== "blocked") return null;
  return (
    <UnsavedQuestion
      title="Leave without saving?"
      said="What is typed in this form is not stored, and is lost once you leave."
      verb="Leave"
      onLeave={() => {
        blocker.proceed();
      }}
      onStay={() => {
        blocker.reset();
      }}
    />
  );
}
