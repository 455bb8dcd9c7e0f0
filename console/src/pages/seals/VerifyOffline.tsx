import Box from "@cloudscape-design/components/box";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { Snippet, useTenant } from "../../kit";
import { command, shellWord } from "../shared/quoting";
import type { Seal } from "./useSealedMonth";

/** Writes the command that copies a month. */
export const exportCommand = (month: string): string =>
  command("ledger export", [
    ["--month", month],
    ["--to", "copy"],
  ]);

function verifyCommand({ month, previous }: Seal, tenant: string): string {
  const words = ["python examples/ledger_audit/verify_ledger.py copy", shellWord(tenant), "--key key.pem"];
  // A copy of one month begins with the digest of the seal before; the first seal has none.
  const begin = previous === null ? [] : ["--since", shellWord(month), "--previous", shellWord(previous)];
  return [...words, ...begin, "--until", shellWord(month)].join(" ");
}

/** Says how an auditor verifies the month without the stage. */
export function VerifyOffline({ seal }: { seal: Seal }) {
  const tenant = useTenant() ?? "TENANT";
  return (
    <Container header={<Header variant="h2">Verify it offline</Header>}>
      <SpaceBetween size="xs">
        <Box variant="p">
          The first command copies the month; the second verifies the copy without network. The key comes from the
          operator by another way than the copy. Note the digest of the seal elsewhere: it stands for all before it.
        </Box>
        <Snippet label="Copy the export" text={exportCommand(seal.month)} />
        <Snippet label="Copy the verification" text={verifyCommand(seal, tenant)} />
      </SpaceBetween>
    </Container>
  );
}
