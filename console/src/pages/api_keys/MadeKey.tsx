import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import CopyToClipboard from "@cloudscape-design/components/copy-to-clipboard";
import Modal from "@cloudscape-design/components/modal";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { useEffect } from "react";

import { guard } from "../../auth/drafts";
import { Instant, Said, type Schemas } from "../../kit";

interface Props {
  made: Schemas["MadeApiKey"];
  onKept: () => void;
}

/** Shows a new key, or says that it is lost. */
export function MadeKey({ made, onKept }: Props) {
  if (made.api_key === null) return <LostKey keyId={made.key_id} onDismiss={onKept} />;
  return <NewKey made={{ ...made, api_key: made.api_key }} onKept={onKept} />;
}

const SHOWN_ONCE = "The new key is lost once you leave: nothing shows it again.";

/** Shows a key. A click beside it, Escape or another page does not take it away: nothing shows it again. */
function NewKey({ made, onKept }: Props & { made: { api_key: string } }) {
  useEffect(() => guard(() => SHOWN_ONCE), []);
  return (
    <Modal
      visible
      size="large"
      header="Copy the key now"
      closeAriaLabel="Close"
      onDismiss={({ detail }) => {
        if (detail.reason === "closeButton") onKept();
      }}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onKept}>
            I have kept it
          </Button>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Alert type="warning">
          The stage does not keep it, and no page or answer shows it again. If it is lost, revoke the key{" "}
          <b>{made.key_id}</b> and create another.
        </Alert>
        <Box variant="code">
          <Said>{made.api_key}</Said>
        </Box>
        <CopyToClipboard
          copyButtonText="Copy the key"
          copyButtonAriaLabel="Copy the key"
          copySuccessText="Copied"
          copyErrorText="The browser refused to copy it: select it and copy it by hand."
          textToCopy={made.api_key}
        />
        <Box variant="p">
          Command line, SDK and workers take it as <Box variant="code">TIMEGATE_TOKEN</Box>; other programs send it as a
          bearer token below <Box variant="code">/key/v1/</Box> of the API. It ends at{" "}
          <Instant at={made.expires_at} both />.
        </Box>
      </SpaceBetween>
    </Modal>
  );
}

/** Says that a key was made by an earlier request, whose answer had its text. */
function LostKey({ keyId, onDismiss }: { keyId: string; onDismiss: () => void }) {
  return (
    <Modal visible header="The key is lost" closeAriaLabel="Close" onDismiss={onDismiss}>
      <Alert type="error">
        The key <b>{keyId}</b> was made by an earlier request, and the answer that had its text did not arrive. The stage
        does not keep the text: revoke the key and create another.
      </Alert>
    </Modal>
  );
}
