import type { StartFenceChild } from "../../fence/process/fence-process.ts";
import { startPart } from "../part-process.ts";

/**
 * The processes of fences, as utility processes of the app.
 * @param entry the built program
 */
export function startFenceChild(entry: string, onLog: (line: string) => void): StartFenceChild {
  return ({ folder, env }) => {
    const child = startPart(entry, { serviceName: "Parley fence", cwd: folder, env, onLog });
    return {
      send: (message) => child.postMessage(message),
      onMessage: (listener) => void child.on("message", listener),
      onExit: (listener) => void child.once("exit", listener),
      kill: () => {
        if (child.pid !== undefined) process.kill(child.pid, "SIGKILL");
      },
    };
  };
}
