import Box from "@cloudscape-design/components/box";
import CopyToClipboard from "@cloudscape-design/components/copy-to-clipboard";
import ExpandableSection from "@cloudscape-design/components/expandable-section";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { plainNumbers } from "../../api/numbers";
import { curlOf } from "./curl";

/** Shows the command and the request that do the same as the page. */
export function SameByCommand({ cli, api }: { cli: string; api: string }) {
  return (
    <ExpandableSection headerText="The same in a terminal and in the API" variant="footer">
      <SpaceBetween size="xs">
        <Snippet label="Copy the command" text={cli} />
        <Snippet label="Copy the request" text={api} />
        <Snippet label="Copy the request for curl" text={curlOf(plainNumbers(api))} />
      </SpaceBetween>
    </ExpandableSection>
  );
}

/** Shows a text of a terminal, and copies it. */
export function Snippet({ label, text: given }: { label: string; text: string }) {
  const text = plainNumbers(given);
  return (
    <div className="snippet">
      <Box variant="code">
        <span className="snippet-text">{text}</span>
      </Box>
      <CopyToClipboard
        variant="icon"
        copyButtonAriaLabel={label}
        copySuccessText="Copied"
        copyErrorText="The browser refused to copy it."
        textToCopy={text}
      />
    </div>
  );
}
