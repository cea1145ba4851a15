/**
 * What must not happen even once. A test that finds it gives these words as the message of its expectation:
 * `expect(harm, attackCameThrough).toEqual([])`. It stays red even if the second look finds nothing.
 */
export const attackCameThrough = "An attack came through";
export const messageLostOrDoubled = "A message was lost or doubled";

/** @param {string} reason why a test failed, in its own words */
export const isGrave = (reason) =>
  [attackCameThrough, messageLostOrDoubled].some((words) => reason.includes(words));
