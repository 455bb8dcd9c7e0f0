/** Fields of a contract that are shown together. */
export interface Group {
  title: string;
  names: readonly string[];
  /** Folded until it is opened. */
  isFolded: boolean;
}

/** Counts the fields of a group that are set. */
export function countSet(group: Group, draft: Record<string, unknown>): number {
  return group.names.filter((name) => draft[name] !== undefined).length;
}

/** Every field of a contract, once: those that no group names stand in the last one. */
export function groupsOf(named: readonly Group[], fields: object): Group[] {
  const known = new Set(named.flatMap(({ names }) => names));
  const more = Object.keys(fields).filter((name) => !known.has(name));
  return [
    ...named.map((group) => ({ ...group, names: group.names.filter((name) => name in fields) })),
    ...(more.length === 0 ? [] : [{ title: "More", names: more, isFolded: true }]),
  ];
}
