import { useEffect } from "react";
import { useBlocker } from "react-router";

import { lostByLeaving } from "../auth/drafts";
import { UnsavedQuestion } from "../kit";

/** Asks before a page is left that would lose something; the browser asks where the window leaves. */
export function Leaving() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && lostByLeaving() !== null,
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (lostByLeaving() !== null) event.preventDefault();
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
      said={lostByLeaving() ?? ""}
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
