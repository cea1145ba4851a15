/**
 * Days since the epoch: what takes too long to be played whole every time is played in parts, another one each day. It stays
 * the day on which the run began (playwright.config.ts).
 */
export const todayNumber = (): number => Number(process.env.PARLEY_DAY);

/** Whether this is the day for one of two parts that take minutes; PARLEY_EVERY_PART=1 runs both. */
export const isTodays = (part: 0 | 1): boolean =>
  Boolean(process.env.PARLEY_EVERY_PART) || todayNumber() % 2 === part;
