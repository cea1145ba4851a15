import { type FencedRun, FenceError, type FenceReport, type ToolContext } from "../../agent/ports/ports.ts";

/** How a call's command is fenced in; null: it runs outside, as was decided for it, or because there is no fence. */
export function fencedRun(context: ToolContext): FencedRun | null {
  const { fence, confinement = "outside", denied, readOnlyPaths = [], permitHost } = context;
  if (confinement === "outside") return null;
  if (!fence)
    throw new FenceError("The fence that this command needs is not there. Nothing was run; try again.");
  return {
    fence,
    confinement,
    denied,
    readOnly: readOnlyPaths,
    askHost: permitHost,
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
    const names = putAside.paths.join(", ");
    const { allowed } = signal.aborted
      ? { allowed: false }
      : await approve({
          name: "shell",
          effect: "write",
          wish: { who: "A command", what: `to leave ${names} in the working folder` },
          detail: putAside.detail,
          why: "These files decide what runs when other programs open this folder.",
        });
    notes.push(await kept(putAside, names, allowed));
  }
  return notes.map((note) => `\n[${note}]`).join("");
}

async function kept(
  putAside: NonNullable<FenceReport["putAside"]>,
  names: string,
  allowed: boolean,
): Promise<string> {
  if (!allowed) {
    return `Taken out of the working folder, since the user did not allow it: ${names}. Such files decide what runs elsewhere.`;
  }
  try {
    await putAside.putBack();
    return `The user allowed it: ${names}.`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
