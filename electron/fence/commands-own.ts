import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ControlGroup, makeGroup } from "./process/control-group.ts";

/** What is made for one command, and goes with it. */
export interface CommandsOwn {
  /** Its temporary folder. */
  temporary: string;
  /** null where there is none to be had. */
  group: ControlGroup | null;
  /** Never throws. */
  remove(): Promise<void>;
}

/** @param runtimeFolder where its temporary folder is made @throws the system's error */
export async function makeOwn(
  runtimeFolder: string,
  { platform, maxProcesses }: { platform: NodeJS.Platform; maxProcesses: number },
): Promise<CommandsOwn> {
  const temporary = await mkdtemp(join(runtimeFolder, "t-"));
  const group = platform === "linux" ? await makeGroup(maxProcesses) : null;
  return {
    temporary,
    group,
    async remove() {
      await Promise.all([group?.drop(), rm(temporary, { recursive: true, force: true }).catch(() => {})]);
    },
  };
}
