import { setTimeout as wait } from "node:timers/promises";
import { familyOf, kindOf, processorMs, sharedOutMb } from "../../e2e/support/machine/process-family.ts";
import { freshHome, type Started, startBare, startParley } from "./start-once.ts";

interface ProcessFigures {
  kind: string;
  mb: number;
}

interface Idle {
  mb: number;
  cpuPercent: number;
  withoutCaretPercent: number;
  processes: ProcessFigures[];
}

/** So long the processor is looked at, in milliseconds. */
const lookedAtMs = 30_000;

/**
 * What a window costs that nobody touches, from `seconds` after it was shown: its memory, the processor over the next half
 * minute, and over another one in which its text box has no caret that blinks.
 */
export async function idleFigures(seconds: number, tell: (line: string) => void) {
  const measured = async (name: string, { child, end }: Started): Promise<Idle> => {
    const { pid } = child;
    if (pid === undefined) throw new Error("The app has no process.");
    const cpuPercent = async () => {
      const before = processorMs(familyOf(pid));
      await wait(lookedAtMs);
      return Math.round(((processorMs(familyOf(pid)) - before) / lookedAtMs) * 1000) / 10;
    };
    await wait(seconds * 1000);
    const family = familyOf(pid);
    const processes = family.map((one) => ({ kind: kindOf(one), mb: sharedOutMb([one]) }));
    const mb = sharedOutMb(family);
    const withCaret = await cpuPercent();
    // Takes the keyboard from the text box: `watch-window.cjs`.
    child.kill("SIGUSR2");
    const idle = { mb, cpuPercent: withCaret, withoutCaretPercent: await cpuPercent(), processes };
    tell(`${name}: ${JSON.stringify(idle)}`);
    await end();
    return idle;
  };
  const bare = await measured("bare", await startBare(freshHome()));
  const parley = await measured("Parley", await startParley(freshHome()));
  return {
    idleMb: parley.mb,
    bareMb: bare.mb,
    idleCpuPercent: parley.cpuPercent,
    bareCpuPercent: bare.cpuPercent,
    idleCpuWithoutCaretPercent: parley.withoutCaretPercent,
    bareCpuWithoutCaretPercent: bare.withoutCaretPercent,
    idleProcesses: parley.processes,
    bareProcesses: bare.processes,
  };
}
