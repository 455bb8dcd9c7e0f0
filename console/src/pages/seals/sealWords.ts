const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^seals\/keys\//, "Public key"],
  [/^seals\/.*\.sig$/, "Signature"],
  [/^seals\//, "Seal"],
  [/^attempts\//, "Attempts"],
  [/^gaps\//, "Gaps"],
  [/^audit\//, "Changes"],
];

/** Names what a file of the archive holds, by its folder. */
export function kindOf(path: string): string {
  return KINDS.find(([folder]) => folder.test(path))?.[1] ?? "File";
}

/** Returns the month before one that is written as 2026-10. */
export function monthBefore(month: string): string {
  const at = new Date(`${month}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() - 1);
  return at.toISOString().slice(0, "2026-10".length);
}
