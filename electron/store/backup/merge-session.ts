/** A conversation's own row, as a back-up and a profile have it. Times are milliseconds since the epoch. */
export interface SessionRow {
  title: string;
  hasOwnTitle: number;
  model: string;
  workingFolder: string;
  createdAt: number;
  updatedAt: number;
  head: string | null;
  pinned: number;
  folder: string | null;
  archivedAt: number | null;
  chosenModel: string | null;
  chosenEffort: string | null;
  /** JSON of a text. */
  draft: string;
  /** JSON of a list, each with its `reference`. */
  draftAttached: string;
}

/**
 * One row of two. Which of them stands first makes no difference, and with one that it was made of it stays as it is: so two
 * profiles that take over each other's back-ups come to the same. What was used last says where the conversation stands;
 * a name, a group, a pin that only one has stays; of two drafts both stay.
 */
export function mergeSessions(one: SessionRow, other: SessionRow): SessionRow {
  /** The later one of those that have it. */
  const pick = <T extends string | number | null>(
    of: (row: SessionRow) => T,
    isSet = (_: SessionRow) => true,
  ) => of(isAfter(key(one, of, isSet), key(other, of, isSet)) ? one : other);
  const later = <K extends keyof SessionRow>(name: K) => pick((row) => row[name]) as SessionRow[K];
  const ifSet = <K extends keyof SessionRow>(name: K) =>
    pick(
      (row) => row[name],
      (row) => row[name] !== null,
    ) as SessionRow[K];
  return {
    title: pick(
      (row) => row.title,
      (row) => row.hasOwnTitle !== 0,
    ),
    hasOwnTitle: Math.max(one.hasOwnTitle, other.hasOwnTitle),
    model: later("model"),
    workingFolder: later("workingFolder"),
    createdAt: Math.min(one.createdAt, other.createdAt),
    updatedAt: Math.max(one.updatedAt, other.updatedAt),
    head: later("head"),
    pinned: Math.max(one.pinned, other.pinned),
    folder: ifSet("folder"),
    archivedAt: later("archivedAt"),
    chosenModel: ifSet("chosenModel"),
    chosenEffort: ifSet("chosenEffort"),
    draft: JSON.stringify(bothTexts(textIn(one.draft), textIn(other.draft))),
    draftAttached: bothLists(one.draftAttached, other.draftAttached),
  };
}

type Key = readonly [isSet: boolean, at: number, value: string];

const key = (row: SessionRow, of: (row: SessionRow) => unknown, isSet: (row: SessionRow) => boolean): Key => [
  isSet(row),
  row.updatedAt,
  JSON.stringify(of(row)),
];

function isAfter([isSet, at, value]: Key, [isOtherSet, otherAt, otherValue]: Key): boolean {
  if (isSet !== isOtherSet) return isSet;
  return at === otherAt ? value >= otherValue : at > otherAt;
}

const textIn = (json: string): string => {
  const text: unknown = JSON.parse(json);
  return typeof text === "string" ? text : "";
};

/** One that holds the other stands for both. */
function bothTexts(one: string, other: string): string {
  if (one.includes(other)) return one;
  if (other.includes(one)) return other;
  return [one, other].sort().join("\n\n");
}

function bothLists(one: string, other: string): string {
  const [first, second] = [one, other].sort().map(listIn);
  const known = new Map([...(first ?? []), ...(second ?? [])].map((entry) => [referenceOf(entry), entry]));
  return JSON.stringify([...known.keys()].sort().map((reference) => known.get(reference)));
}

const listIn = (json: string): unknown[] => {
  const list: unknown = JSON.parse(json);
  return Array.isArray(list) ? list : [];
};

const referenceOf = (entry: unknown): string =>
  typeof entry === "object" && entry !== null && "reference" in entry
    ? String(entry.reference)
    : JSON.stringify(entry);
