import { countTasks, type Task } from "../../../shared/conversation/tasks.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { Section } from "./Section.tsx";
import styles from "./TasksSection.module.css";

const t = texts.panel.tasks;

interface TasksSectionProps {
  tasks: readonly Task[];
  isRunning: boolean;
  /** What is worked at waits for the user's word. */
  isWaiting: boolean;
}

/** What the model works through, as it said it last; nothing where there is no list. */
export function TasksSection({ tasks, isRunning, isWaiting }: TasksSectionProps) {
  if (tasks.length === 0) return null;
  const { done, total } = countTasks(tasks);
  return (
    <Section title={t.title} end={t.done(done, total)} testId="tasks">
      <ul className={styles.list} data-running={(isRunning && !isWaiting) || undefined}>
        {tasks.map(({ text, state }, place) => {
          const waits = isWaiting && state === "in_progress";
          const label = waits ? t.waits : t.states[state];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a task is known by its place alone
            <li key={place} className={styles[state]} data-state={state}>
              <span className={waits ? styles.hand : styles.mark} role="img" aria-label={label} title={label}>
                {waits && <Icon name="hand" size={14} />}
                {state === "done" && <Icon name="check" />}
                {state === "cancelled" && <Icon name="close" size={14} />}
              </span>
              <span dir="auto">{text}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
