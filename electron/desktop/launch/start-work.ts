// It is loaded before the window: nothing that takes long is imported here.

/** The exit code of a start that failed, as `exitCodes.failed` is of a prompt. */
const failedCode = 1;

/**
 * Does what a start is for. What fails is said on the standard error and ends the process with code 1: with no work going on,
 * nothing else ever would.
 * @param end tells whoever sees no terminal, if need be, and ends the process
 */
export async function startWork(
  ready: Promise<unknown>,
  work: () => Promise<unknown>,
  end: (code: number, why: string) => void,
): Promise<void> {
  try {
    await ready;
    await work();
  } catch (error) {
    const why = wordsOf(error);
    process.stderr.write(`parley: ${why}\n`);
    end(failedCode, why);
  }
}

/** What went wrong, with what helps against it where that is known. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const hint = "hint" in error && typeof error.hint === "string" ? ` ${error.hint}` : "";
  return `${error.message}${hint}`;
}
