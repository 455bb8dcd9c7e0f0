import Container from "@cloudscape-design/components/container";
import CopyToClipboard from "@cloudscape-design/components/copy-to-clipboard";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";

import { Instant, RouteLink, Said } from "../../kit";
import { FileLink } from "./FileLink";
import { kindOf, monthBefore } from "./sealWords";
import type { Seal, SealedFile } from "./useSealedMonth";

interface Props {
  seal: Seal;
  files: readonly SealedFile[];
  now: number;
}

/** Shows what a seal says: how far it goes, its digest, the seal before it, and what signed it. */
export function SealFacts({ seal, files, now }: Props) {
  const signature = files.find(({ path }) => kindOf(path) === "Signature");
  return (
    <Container header={<Header variant="h2">Seal</Header>}>
      <KeyValuePairs
        columns={2}
        items={[
          { label: "Archived until", value: `${seal.archived_until} (UTC)` },
          { label: "Attempts, gaps and changes", value: seal.rows.toLocaleString("en") },
          {
            label: "SHA-256 of the seal",
            value: (
              <CopyToClipboard
                variant="inline"
                textToCopy={seal.sha256}
                copyButtonAriaLabel="Copy the digest"
                copySuccessText="Copied"
                copyErrorText="The browser did not copy it"
              />
            ),
          },
          { label: "Seal before", value: <Before seal={seal} /> },
          { label: "Signature", value: signature === undefined ? "–" : <FileLink file={signature} now={now} /> },
          { label: "Links to files expire", value: <Instant at={seal.urls_expire_at} both /> },
        ]}
      />
    </Container>
  );
}

function Before({ seal: { month, previous } }: { seal: Seal }) {
  if (previous === null) return "none: the chain begins here";
  const before = monthBefore(month);
  return (
    <>
      <RouteLink to={`/seals/${before}`}>{before}</RouteLink> <Said>{previous}</Said>
    </>
  );
}
