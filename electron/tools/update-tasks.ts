import { z } from "zod";
import { countTasks, taskList, taskTool } from "../../shared/conversation/tasks.ts";
import type { Tool } from "../agent/ports/ports.ts";
import { counted } from "./environment/text-content.ts";

const input = z.object({
  tasks: taskList.describe(
    "The whole list, in order, with each task's state now. It takes the place of the last one.",
  ),
});

/** The conversation's list: kept by the call itself, which is part of the path. A sub-agent has none. */
export const updateTasksTool: Tool<z.infer<typeof input>> = {
  name: taskTool,
  description:
    "Write down, or bring up to date, the list of tasks that you work through. The user sees it. Give the whole list each time: up to 50 tasks. One task at most is in_progress, unless sub-agents work on others. An empty list removes it.",
  input,
  effect: "read",
  async run({ tasks }, { updateTasks, subagents }) {
    if (!updateTasks) return { text: "There is no list of tasks here.", isError: true };
    const active = tasks.filter(({ state }) => state === "in_progress").length;
    if (active > 1 && subagents.running === 0) {
      return {
        text: `${active} tasks are in_progress, and no sub-agent is running. Leave one in_progress: the one that you are working on.`,
        isError: true,
      };
    }
    updateTasks(tasks);
    const { done, total } = countTasks(tasks);
    return { text: tasks.length === 0 ? "The list is empty." : `${done} of ${counted(total, "task")} done.` };
  },
};
