/** A step of the set-up that cannot go on. The message says what is wrong and what to do; no stack is shown. */
export class SetUpError extends Error {}

/** Prints one line of progress. Always on stderr: stdout belongs to the program that is being set up. */
export function say(line) {
  process.stderr.write(`parley: ${line}\n`);
}

/**
 * Runs `work`; when it fails, says why in plain words and sets exit code 1.
 * @returns what `work` returned, or undefined after a failure
 */
export async function orExit(work) {
  try {
    return await work();
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof SetUpError) say(error.message);
    else if (isDiskFull(error)) say(diskFull(error.path ?? "the disk"));
    else console.error(error);
  }
}

/** The message for a full disk, the same wherever it strikes. */
export function diskFull(where) {
  return `No space left on the disk (${where}). Make room, then run the same command again.`;
}

function isDiskFull(error) {
  return error?.code === "ENOSPC" || error?.code === "EDQUOT";
}
