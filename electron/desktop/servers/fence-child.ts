import { utilityProcess } from "electron";
import type { StartFenceChild } from "../../fence/process/fence-process.ts";

/**
 * The processes of fences, as utility processes of the app.
 * @param entry the built program
 */
export function startFenceChild(entry: string, onLog: (line: string) => void): StartFenceChild {
  return ({ folder, env }) => {
    const child = utilityProcess.fork(entry, [], {
      serviceName: "Parley fence",
      cwd: folder,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => onLog(text.trimEnd()));
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
