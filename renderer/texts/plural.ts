const english = new Intl.PluralRules("en");

/** The form that English uses for this number of things. */
export const plural = (count: number, one: string, other: string): string =>
  english.select(count) === "one" ? one : other;

/** A number with its noun: `1 file`, `3 files`. */
export const counted = (count: number, one: string, other: string): string =>
  `${count} ${plural(count, one, other)}`;
