/** A number as people read it: 12,345. Its format is made at its first use: that takes tens of milliseconds. */
export const grouped = (number: number): string => number.toLocaleString("en-GB");
