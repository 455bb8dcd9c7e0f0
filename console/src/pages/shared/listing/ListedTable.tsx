import Box from "@cloudscape-design/components/box";
import Table, { type TableProps } from "@cloudscape-design/components/table";
import type { ReactNode } from "react";

import { Skeleton } from "../../../kit";
import { ListFooter } from "./ListFooter";
import { Unreadable } from "./Unreadable";
import type { Listing } from "./useListing";

type Given = "items" | "loading" | "loadingText" | "footer" | "empty";

interface Props<Item> extends Omit<TableProps<Item>, Given> {
  listing: Listing<Item>;
  /** Plural of what is listed: "failed runs". */
  what: string;
  /** Shown once it is known that there is nothing. */
  empty: ReactNode;
}

/** Lists what was read, page by page; until then lines stand for its rows. */
export function ListedTable<Item>({ listing, what, empty, ...table }: Props<Item>) {
  return (
    <>
      <Unreadable names={listing.unreadable} what={what} />
      <Table
        {...table}
        items={listing.items}
        empty={<Nothing listing={listing} what={what} empty={empty} />}
        footer={<ListFooter listing={listing} what={what} />}
      />
    </>
  );
}

function Nothing({ listing, what, empty }: Pick<Props<unknown>, "listing" | "what" | "empty">) {
  if (listing.isLoading) return <Skeleton what={what} />;
  // A refusal says nothing of what there is.
  if (listing.problem !== null) return <Box color="text-body-secondary">They could not be read.</Box>;
  if (listing.readMore !== null) {
    return <Box color="text-body-secondary">None among those that were read: there are more to read.</Box>;
  }
  if (listing.unreadable.length > 0) return <Box color="text-body-secondary">None that can be read.</Box>;
  return <>{empty}</>;
}
