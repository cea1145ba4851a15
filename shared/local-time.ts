const two = (part: number) => String(part).padStart(2, "0");

/** A day by the clock of this computer, as ISO 8601 has it. @param at milliseconds since the epoch */
export function localDay(at: number): string {
  const date = new Date(at);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(two).join("-");
}

/** A time of day by the clock of this computer, to the second: `09:41:07`. @param at milliseconds since the epoch */
export function localTime(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
}

/** How far the clock of this computer is from UTC: `UTC+05:30`. @param at milliseconds since the epoch: summer has another */
export function localZone(at: number): string {
  const minutes = -new Date(at).getTimezoneOffset();
  const of = (part: number) => two(Math.trunc(Math.abs(part)));
  return `UTC${minutes < 0 ? "-" : "+"}${of(minutes / 60)}:${of(minutes % 60)}`;
}
