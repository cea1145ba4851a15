/** How long a start waits for an instance that is starting or ending, in milliseconds. */
export const longestStartMs = 10_000;

/** How long until it asks again, in milliseconds. */
export const askAgainMs = 50;
