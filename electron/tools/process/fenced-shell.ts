import { leftWish, putBackAgain, takenOut, whyTakenOut } from "../../../shared/safety/left-files.ts";
import { type FencedRun, FenceError, type FenceReport, type ToolContext } from "../../agent/ports/ports.ts";

/** How a call's command is fenced in; null: it runs outside, as was decided for it, or because there is no fence. */
export function fencedRun(context: ToolContext): FencedRun | null {
  const { fence, confinement = "outside", denied, readOnlyPaths = [], checkHost } = context;
  if (confinement === "outside") return null;
  if (!fence)
    throw new FenceError("The fence that this command needs is not there. Nothing was run; try again.");
  return {
    fence,
    confinement,
    denied,
    readOnly: readOnlyPaths,
    askHost: checkHost,
  };
}

/** What the fence has to say below a command's output; files that were put aside are asked for first. */
export async function fenceNotes(
  report: FenceReport | null,
  { approve, signal }: ToolContext,
): Promise<string> {
  if (!report) return "";
  const notes = [...report.notes];
  const { putAside } = report;
  if (putAside) {
    const { allowed } = signal.aborted
      ? { allowed: false }
      : await approve({
          name: "shell",
          effect: "write",
          wish: leftWish("A command", putAside.paths),
          detail: putAside.detail,
          why: whyTakenOut,
        });
    notes.push(await kept(putAside, allowed));
  }
  return notes.map((note) => `\n[${note}]`).join("");
}

async function kept(putAside: NonNullable<FenceReport["putAside"]>, allowed: boolean): Promise<string> {
  if (!allowed) return takenOut(putAside.paths);
  try {
    await putAside.putBack();
    return putBackAgain(putAside.paths);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
