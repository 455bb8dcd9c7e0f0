import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Modal from "@cloudscape-design/components/modal";
import SpaceBetween from "@cloudscape-design/components/space-between";

interface Props {
  /** The question: "Leave without saving?" */
  title: string;
  /** Says what is lost. */
  said: string;
  /** The verb of the button that loses it. */
  verb: string;
  onLeave: () => void;
  onStay: () => void;
}

/** Asks before something that is typed is lost. */
export function UnsavedQuestion({ title, said, verb, onLeave, onStay }: Props) {
  return (
    <Modal
      visible
      header={title}
      closeAriaLabel="Close"
      onDismiss={onStay}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onLeave}>
              {verb}
            </Button>
            <Button variant="primary" onClick={onStay}>
              Stay
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <Box variant="p">{said}</Box>
    </Modal>
  );
}
