import { z } from "zod";

/** The list that the model keeps with `update_tasks` while it works through several steps: the newest one of the path counts. */

const maxTasks = 50;
const maxTaskChars = 300;

const taskState = z.enum(["pending", "in_progress", "done", "cancelled"]);
export type TaskState = z.infer<typeof taskState>;

const task = z.object({
  text: z.string().trim().min(1).max(maxTaskChars).describe("What is to be done, in a few words."),
  state: taskState,
});
export type Task = z.infer<typeof task>;

/** In the order in which they are shown. */
export const taskList = z.array(task).max(maxTasks);

/** The name of the tool: whatever reads a list from a stored call looks for it. */
export const taskTool = "update_tasks";

/** How far a list is; cancelled tasks count in neither. */
interface TaskCounts {
  done: number;
  total: number;
}

export function countTasks(tasks: readonly Task[]): TaskCounts {
  const left = tasks.filter(({ state }) => state !== "cancelled");
  return { done: left.filter(({ state }) => state === "done").length, total: left.length };
}

/** Whether something of the list is still to be done. */
export const hasOpenTasks = (tasks: readonly Task[]): boolean =>
  tasks.some(({ state }) => state === "pending" || state === "in_progress");

/** @param input of a call of the tool, however odd @returns null where it is no list */
export function tasksOfInput(input: unknown): readonly Task[] | null {
  const parsed = z.object({ tasks: taskList }).safeParse(input);
  return parsed.success ? parsed.data.tasks : null;
}
