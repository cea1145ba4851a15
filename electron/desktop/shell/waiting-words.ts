/** How much waits for the user's word, by what it is. */
export interface WaitingCounts {
  approvals: number;
  questions: number;
}

/** Such as `1 approval and 2 questions wait for you`. @returns null where nothing waits */
export function waitingWords({ approvals, questions }: WaitingCounts): string | null {
  const counted = [...countedAs(approvals, "approval"), ...countedAs(questions, "question")];
  if (counted.length === 0) return null;
  return `${counted.join(" and ")} ${approvals + questions === 1 ? "waits" : "wait"} for you`;
}

const countedAs = (count: number, word: string): string[] =>
  count === 0 ? [] : [`${count} ${word}${count === 1 ? "" : "s"}`];
