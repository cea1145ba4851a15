interface Named {
  id: string;
  title: string;
}

/** Fewer characters of an id than this are the beginning or the end of too many. */
const shortestIdPart = 3;

/**
 * The sessions that a user may mean, in the order given: by whole id, by the beginning or the end of an id, by title
 * (whole, then its beginning, then a part). Only those of the best kind of match; case does not count.
 */
export function bestMatches<T extends Named>(sessions: readonly T[], reference: string): T[] {
  const wanted = reference.trim().toLowerCase();
  if (wanted === "") return [];
  const isIdPart = wanted.length >= shortestIdPart;
  const kinds: ((id: string, title: string) => boolean)[] = [
    (id) => id === wanted,
    (id) => isIdPart && (id.startsWith(wanted) || id.endsWith(wanted)),
    (_, title) => title === wanted,
    (_, title) => title.startsWith(wanted),
    (_, title) => title.includes(wanted),
  ];
  for (const matches of kinds) {
    const found = sessions.filter(({ id, title }) => matches(id.toLowerCase(), title.toLowerCase().trim()));
    if (found.length > 0) return found;
  }
  return [];
}
