import type { Clock, Tool } from "../agent/ports/ports.ts";
import type { ImageScaler } from "../files/fitting-image.ts";
import { type AppActions, appTools } from "./app-tools.ts";
import { askUserTool } from "./ask-user.ts";
import { calculateTool } from "./calculate.ts";
import { currentTimeTool } from "./current-time.ts";
import { editFileTool } from "./edit-file.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { applyPatchTool } from "./patch/apply-patch.ts";
import { readFileTool } from "./read-file.ts";
import { readManyFilesTool } from "./read-many-files.ts";
import { readToolOutputTool } from "./read-tool-output.ts";
import { shellTool } from "./shell.ts";
import { subagentTools } from "./subagent-tools.ts";
import { updateTasksTool } from "./update-tasks.ts";
import { asData } from "./web/as-data.ts";
import { webFetchTool } from "./web/web-fetch.ts";
import type { WebProxy } from "./web/web-request.ts";
import { writeFileTool } from "./write-file.ts";

/** Every built-in tool, also one that is `unavailable` here. A new one is a file of its own and one line here. */
export function builtInTools({
  clock,
  actions,
  pageThread,
  proxy,
  scaleImage,
}: {
  clock: Clock;
  actions: AppActions;
  /** The program of the thread in which web pages are read, as an absolute path. */
  pageThread: string;
  proxy?: WebProxy;
  scaleImage?: ImageScaler;
}): readonly Tool[] {
  const local: Tool[] = [
    currentTimeTool(clock),
    calculateTool,
    listDirectoryTool,
    readFileTool(scaleImage),
    readManyFilesTool,
    grepTool(),
    globTool,
    writeFileTool,
    editFileTool,
    applyPatchTool,
    shellTool,
    askUserTool,
    ...subagentTools,
    updateTasksTool,
    ...appTools(actions),
  ];
  // What these bring is between marks already.
  return [...local.map(asData), webFetchTool(pageThread, proxy), readToolOutputTool];
}
