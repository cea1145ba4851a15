import type { MeetingLine } from "../../../shared/conversation/meeting.ts";

/** A line stands for at least so long, in milliseconds, where the next one does not begin before: of some only the end is known. */
const shortestMs = 1000;

/** What was said in a meeting as subtitles, whose clock begins with its first words; nobody said the notes. @param lines oldest first */
export function meetingSrt(lines: readonly MeetingLine[]): string {
  const said = lines.filter(({ who }) => who !== "note");
  const start = said[0]?.at ?? 0;
  return said
    .map(({ who, text, at, endedAt }, place) => {
      const from = at - start;
      const next = said[place + 1];
      const shortest = Math.min(
        from + shortestMs,
        next === undefined ? Infinity : Math.max(next.at - start, from + 1),
      );
      const to = Math.max(endedAt - start, shortest);
      const words = text
        .replaceAll(/\s+/g, " ")
        .replaceAll(/-{2,}>/g, "->")
        .trim();
      return `${place + 1}\n${srtTime(from)} --> ${srtTime(to)}\n${who === "me" ? "Me" : "Them"}: ${words}\n`;
    })
    .join("\n");
}

/** `01:02:03,456` */
function srtTime(ms: number): string {
  const two = (part: number) => String(Math.floor(part)).padStart(2, "0");
  const parts = [two(ms / 3_600_000), two((ms / 60_000) % 60), two((ms / 1000) % 60)];
  return `${parts.join(":")},${String(Math.floor(ms % 1000)).padStart(3, "0")}`;
}
