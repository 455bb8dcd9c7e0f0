import { readAll, type Schemas, useApi } from "../../kit";
import { type Listing, useListing } from "../shared/listing/useListing";

export type Seal = Omit<Schemas["SealedMonth"], "items" | "next_cursor">;

/** A file, and when its link expires: each page of files has links of its own. */
export type SealedFile = Schemas["ExportedFile"] & Pick<Seal, "urls_expire_at">;

/** Reads a seal with its files, page by page. A read counts as five requests: it is made when it is asked for. */
export function useSealedMonth(month: string): Listing<SealedFile, Seal> {
  const api = useApi();
  return useListing<SealedFile, Seal>(
    ["sealed-month", month],
    async (cursor) => {
      const page = await readAll(
        api.GET("/v1/archive/seals/{month}", {
          params: { path: { month }, query: cursor === null ? {} : { cursor } },
        }),
      );
      return { ...page, items: page.items.map((file) => ({ ...file, urls_expire_at: page.urls_expire_at })) };
    },
    false,
    1,
  );
}
