import type { Clock, Tool } from "../agent/ports.ts";
import { type AppActions, appTools } from "./app-tools.ts";
import { calculateTool } from "./calculate.ts";
import { currentTimeTool } from "./current-time.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { readFileTool } from "./read-file.ts";

/** Every built-in tool. A new one is a file of its own and one line here. */
export function builtInTools({ clock, actions }: { clock: Clock; actions: AppActions }): readonly Tool[] {
  return [currentTimeTool(clock), calculateTool, listDirectoryTool, readFileTool, ...appTools(actions)];
}
