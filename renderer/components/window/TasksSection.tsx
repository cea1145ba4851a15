import { countTasks, type Task } from "../../../shared/conversation/tasks.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import styles from "./TasksSection.module.css";

const t = texts.window.details;

/** What the model works through, as it said it last; nothing where there is no list. */
export function TasksSection({ tasks, isRunning }: { tasks: readonly Task[]; isRunning: boolean }) {
  if (tasks.length === 0) return null;
  const { done, total } = countTasks(tasks);
  return (
    <section data-testid="tasks" data-running={isRunning || undefined}>
      <h2 className={styles.title}>
        {t.tasks} <span>{t.tasksDone(done, total)}</span>
      </h2>
      <ul className={styles.list}>
        {tasks.map(({ text, state }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a task is known by its place alone
          <li key={place} className={styles[state]} data-state={state}>
            <span
              className={styles.mark}
              role="img"
              aria-label={t.taskStates[state]}
              title={t.taskStates[state]}
            >
              {state === "done" && <Icon name="check" />}
              {state === "cancelled" && <Icon name="close" size={14} />}
            </span>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
