import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";
import Modal from "@cloudscape-design/components/modal";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { type ReactNode, useState } from "react";

import { type ApiProblem, clipped, ProblemAlert, SameByCommand, UnsavedQuestion, useTyped } from "../../kit";

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

/**
 * Asks before an action is taken, and says what the same is in a terminal and in the API. A dialog in which something is
 * typed asks before it closes; one whose action runs has sent it.
 */
export function ActionModal(props: Props) {
  const { title, verb, children, isRunning, isDisabled, problem, onConfirm, onDismiss } = props;
  const { frame, isTyped } = useTyped(isRunning, problem !== null);
  const [isLeaving, setLeaving] = useState(false);
  const leave = (): void => {
    if (isTyped() && !isRunning) setLeaving(true);
    else onDismiss();
  };
  return (
    <>
      <Modal
        visible
        header={title}
        size={props.size ?? "medium"}
        closeAriaLabel="Close"
        onDismiss={leave}
        footer={
          <Box float="right">
            <SpaceBetween direction="horizontal" size="xs">
              <Button variant="link" onClick={leave}>
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
        <div {...frame}>
          <SpaceBetween size="m">
            {children}
            {problem !== null && <ProblemAlert problem={problem} isOfAction />}
            <SameByCommand cli={props.cli} api={props.api} />
          </SpaceBetween>
        </div>
      </Modal>
      {isLeaving && (
        <UnsavedQuestion
          title="Close without sending?"
          said="What is typed in this dialog is not sent, and is lost once it closes."
          verb="Discard it"
          onLeave={onDismiss}
          onStay={() => {
            setLeaving(false);
          }}
        />
      )}
    </>
  );
}

/** The longest reason of a pause that the API takes. */
const REASON_LENGTH = 200;

/** A reason of a pause, which each job or pool that it pauses shows. */
export function ReasonField({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  return (
    <FormField label="Reason" description="For people: shown until the pause ends." constraintText="Up to 200 characters. Optional.">
      <Input
        value={reason}
        onChange={({ detail }) => {
          onChange(clipped(detail.value, REASON_LENGTH));
        }}
      />
    </FormField>
  );
}

/** The longest note that the API takes. */
const NOTE_LENGTH = 500;

/** A note on an action, which its record keeps. */
export function NoteField({ note, onChange }: { note: string; onChange: (note: string) => void }) {
  return (
    <FormField label="Note" description="For readers of the record." constraintText="Optional">
      <Input
        value={note}
        onChange={({ detail }) => {
          onChange(clipped(detail.value, NOTE_LENGTH));
        }}
      />
    </FormField>
  );
}
