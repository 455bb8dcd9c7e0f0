import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Modal from "@cloudscape-design/components/modal";
import SpaceBetween from "@cloudscape-design/components/space-between";
import type { ReactNode } from "react";

import { type ApiProblem, ProblemAlert, SameByCommand } from "../../kit";

interface Props {
  title: string;
  /** The verb of the button: "Cancel the run". */
  verb: string;
  children: ReactNode;
  isRunning: boolean;
  isDisabled?: boolean;
  problem: ApiProblem | null;
  onConfirm: () => void;
  onDismiss: () => void;
  cli: string;
  api: string;
  size?: "medium" | "large";
}

/** Asks before an action is taken, and says what the same is in a terminal and in the API. */
export function ActionModal(props: Props) {
  const { title, verb, children, isRunning, isDisabled, problem, onConfirm, onDismiss } = props;
  return (
    <Modal
      visible
      header={title}
      size={props.size ?? "medium"}
      closeAriaLabel="Close"
      onDismiss={onDismiss}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onDismiss}>
              Back
            </Button>
            <Button
              variant="primary"
              loading={isRunning}
              disabled={isDisabled ?? false}
              onClick={onConfirm}
            >
              {verb}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        {children}
        {problem !== null && <ProblemAlert problem={problem} />}
        <SameByCommand cli={props.cli} api={props.api} />
      </SpaceBetween>
    </Modal>
  );
}
