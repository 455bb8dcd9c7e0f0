import Box from "@cloudscape-design/components/box";
import Container from "@cloudscape-design/components/container";
import CopyToClipboard from "@cloudscape-design/components/copy-to-clipboard";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { Said, type Schemas } from "../../kit";
import { knownWords } from "../shared/stateWords";

const SIGNED: Record<Schemas["HookScheme"], string> = {
  standard: "Standard Webhooks: id, second and body, by keys whsec_…",
  github: "GitHub: X-Hub-Signature-256 over the body. Choose the content type application/json.",
};

/** Shows where others send signed messages, and where the key is kept that they sign with. */
export function HookAddress({ hook, apiUrl }: { hook: Schemas["Hook"]; apiUrl: string }) {
  const { secret_arn: arn, ssm_parameter: parameter, json_key: key } = hook.secret;
  const place = `${arn ?? parameter ?? ""}${key === null ? "" : `#${key}`}`;
  return (
    <Container header={<Header variant="h2">Its web hook</Header>}>
      <SpaceBetween size="s">
        <Box variant="p">
          Give the sender this address, and the key that is kept at the place named here. No page and no answer shows
          the key. A changed key is read within a minute; up to five are accepted at once.
        </Box>
        <KeyValuePairs
          columns={3}
          items={[
            {
              label: "Address",
              value: (
                <CopyToClipboard
                  variant="inline"
                  textToCopy={`${apiUrl}${hook.path}`}
                  copyButtonAriaLabel="Copy the address"
                  copySuccessText="Copied"
                  copyErrorText="The browser did not copy it"
                />
              ),
            },
            { label: "Signed", value: knownWords(SIGNED, hook.scheme) },
            { label: "Place of the key", value: <Said>{place}</Said> },
          ]}
        />
      </SpaceBetween>
    </Container>
  );
}
