import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";

import type { Listing } from "./useListing";

/** Ends a listing: a button that reads on, or the word that there are no more. */
export function ListFooter({ listing, what }: { listing: Listing<unknown>; what: string }) {
  const { readMore } = listing;
  if (readMore !== null) {
    return (
      <Box textAlign="center">
        <Button loading={listing.isReadingMore} onClick={readMore}>
          Show more {what}
        </Button>
      </Box>
    );
  }
  return listing.items.length === 0 ? null : (
    <Box textAlign="center" color="text-body-secondary">
      {listing.items.length.toLocaleString("en")} shown. There are no more.
    </Box>
  );
}
