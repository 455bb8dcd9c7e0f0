import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Modal from "@cloudscape-design/components/modal";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { useEffect } from "react";
import { useBlocker } from "react-router";

import { isUnsaved } from "../auth/drafts";

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
  const stay = (): void => {
    blocker.reset();
  };
  return (
    <Modal
      visible
      header="Leave without saving?"
      closeAriaLabel="Close"
      onDismiss={stay}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button
              variant="link"
              onClick={() => {
                blocker.proceed();
              }}
            >
              Leave
            </Button>
            <Button variant="primary" onClick={stay}>
              Stay
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <Box variant="p">What is typed in this form is not stored, and is lost once you leave.</Box>
    </Modal>
  );
}
