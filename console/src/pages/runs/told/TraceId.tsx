import CopyToClipboard from "@cloudscape-design/components/copy-to-clipboard";
import Link from "@cloudscape-design/components/link";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { useContext } from "react";

import { TraceUrlContext } from "../../../kit";
import { traceAddress } from "./traceAddress";

/** Shows the id of a trace, and leads to it where the stage says where traces are seen. */
export function TraceId({ id }: { id: string }) {
  const address = traceAddress(useContext(TraceUrlContext), id);
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <CopyToClipboard
        variant="inline"
        textToCopy={id}
        copyButtonAriaLabel="Copy the trace id"
        copySuccessText="Copied"
        copyErrorText="The browser did not copy it"
      />
      {address !== null && (
        <Link external href={address} rel="noreferrer">
          See the trace
        </Link>
      )}
    </SpaceBetween>
  );
}
