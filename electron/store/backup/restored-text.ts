import type { Merged } from "./merge-contents.ts";

/** What a restore came to, for people. @param settings how many were changed, or why none was */
export function restoredText(
  { added, extended, messages }: Merged,
  { changed: settings, problem }: { changed: number; problem: string | null },
): string {
  const parts = [
    `${counted(added, "conversation")} and ${counted(messages, "message")} are new here`,
    ...(extended > 0
      ? [
          `${counted(extended, "conversation")} that ${extended === 1 ? "was" : "were"} here ${extended === 1 ? "has" : "have"} more now`,
        ]
      : []),
    ...(settings > 0 ? [`${counted(settings, "setting")} changed`] : []),
  ];
  const done =
    added + extended + messages + settings === 0
      ? "Everything in the back-up was already here."
      : `Restored: ${parts.join("; ")}.`;
  return problem === null ? done : `${done} The settings were not changed. ${problem}`;
}

export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
