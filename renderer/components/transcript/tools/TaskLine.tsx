import { countTasks, tasksOfInput } from "../../../../shared/conversation/tasks.ts";
import { texts } from "../../../texts/texts.ts";
import { Icon } from "../../ui/Icon.tsx";
import styles from "./TaskLine.module.css";
import type { ToolItem } from "./ToolCard.tsx";

const t = texts.transcript.tasks;

/** That the list of tasks was brought up to date, and how far it is. The list itself stands in the panel. */
export function TaskLine({ item }: { item: ToolItem }) {
  const tasks = tasksOfInput(item.input) ?? [];
  const { done, total } = countTasks(tasks);
  return (
    <p className={styles.line} data-testid="task-line" data-key={item.key}>
      <Icon name="tasks" />
      {tasks.length === 0 ? t.removed : t.updated(done, total)}
    </p>
  );
}
