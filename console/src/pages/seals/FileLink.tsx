import Link from "@cloudscape-design/components/link";

import { isWebAddress, Said } from "../../kit";
import type { SealedFile } from "./useSealedMonth";

/** A link is taken away so long before it expires, and looked at as often. */
export const MARGIN_MS = 10_000;

/** Tells if a link of the API is good no more, or only for a moment. */
export function isExpired(file: Pick<SealedFile, "urls_expire_at">, now: number): boolean {
  return Date.parse(file.urls_expire_at) - now <= MARGIN_MS;
}

/** Names a file; while its link is good, the name downloads it. */
export function FileLink({ file, now }: { file: SealedFile; now: number }) {
  const name = <Said>{file.path}</Said>;
  if (isExpired(file, now) || !isWebAddress(file.url)) return name;
  return (
    <Link external href={file.url} rel="noreferrer">
      {name}
    </Link>
  );
}
