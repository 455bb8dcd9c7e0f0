/** Runs under way and the most that are at once, as workers said them. */
interface Said {
  capacity: number | null;
  in_use: number | null;
}

/** Writes the use of a worker, or of all workers of a pool; a dash where none said its capacity. */
export function writeUse({ capacity, in_use }: Said): string {
  if (capacity === null) {
    return "–";
  }
  return `${in_use === null ? "?" : in_use.toLocaleString("en")} of ${capacity.toLocaleString("en")}`;
}
