import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import type { TableProps } from "@cloudscape-design/components/table";

import { Said } from "../../kit";
import { ListedTable } from "../shared/listing/ListedTable";
import type { Listing } from "../shared/listing/useListing";
import { FileLink, isExpired } from "./FileLink";
import { kindOf } from "./sealWords";
import type { Seal, SealedFile } from "./useSealedMonth";

const columnsAt = (now: number): TableProps.ColumnDefinition<SealedFile>[] => [
  { id: "path", header: "File", isRowHeader: true, minWidth: 300, cell: (file) => <FileLink file={file} now={now} /> },
  { id: "kind", header: "Holds", minWidth: 110, cell: ({ path }) => kindOf(path) },
  { id: "bytes", header: "Bytes", minWidth: 100, cell: ({ bytes }) => bytes.toLocaleString("en") },
  { id: "sha256", header: "SHA-256", minWidth: 220, cell: ({ sha256 }) => <Said>{sha256}</Said> },
];

/** Lists the seal, its signature, public keys, and the files that it names, each with a link for a while. */
export function FilesTable({ listing, now }: { listing: Listing<SealedFile, Seal>; now: number }) {
  const again = <Button onClick={listing.refetch}>Read again</Button>;
  return (
    <SpaceBetween size="m">
      {listing.items.some((file) => isExpired(file, now)) && (
        <Alert type="info">Links have expired: they are good for fifteen minutes. Read again for new ones.</Alert>
      )}
      <ListedTable
        wrapLines
        listing={listing}
        what="files"
        trackBy="path"
        columnDefinitions={columnsAt(now)}
        ariaLabels={{ tableLabel: "Files" }}
        header={
          <Header variant="h2" description="All that verifying the month takes." actions={again}>
            Files
          </Header>
        }
        empty={<Box color="text-body-secondary">The seal names no file.</Box>}
      />
    </SpaceBetween>
  );
}
