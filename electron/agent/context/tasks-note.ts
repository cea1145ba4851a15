import { withoutMarks } from "../../../shared/conversation/data-marks.ts";
import type { Message } from "../../../shared/conversation/messages.ts";
import { hasOpenTasks, type Task, taskTool } from "../../../shared/conversation/tasks.ts";

const mark = "[YOUR TASKS]";

/** The list for the model, where the call that said it is no longer part of its requests. @returns null where nothing of it is open */
export function tasksNote(tasks: readonly Task[]): string | null {
  if (!hasOpenTasks(tasks)) return null;
  return [
    `${mark} Your list of tasks as it stands, from messages that are no longer shown to you. Go on with it, and keep it up to date with ${taskTool}:`,
    ...tasks.map(({ text, state }) => `- [${state}] ${withoutMarks(text)}`),
  ].join("\n");
}

/** Whether the newest list is among these messages, by its call, which worked, or in a summary or a note. @param messages oldest first */
export function holdsTasks(messages: readonly Message[]): boolean {
  const failed = new Set<string>();
  for (let place = messages.length - 1; place >= 0; place--) {
    const message = messages[place];
    for (const block of message?.content ?? []) {
      if (block.type === "tool_result" && block.is_error) failed.add(block.tool_use_id);
      if (block.type === "tool_use" && block.name === taskTool && !failed.has(block.id)) return true;
      if (block.type === "text" && isOfParley(message) && block.text.includes(mark)) return true;
    }
  }
  return false;
}

const isOfParley = (message: Message | undefined): boolean =>
  message?.origin === "system" || message?.origin === "summary";
