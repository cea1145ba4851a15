import { type ReactNode, useId } from "react";
import styles from "./Section.module.css";

interface SectionProps {
  title: string;
  /** A figure at the end of its heading. */
  end?: ReactNode;
  testId: string;
  children: ReactNode;
}

/** A part of the right panel, with its heading. */
export function Section({ title, end, testId, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} data-testid={testId} aria-labelledby={id}>
      <h2 id={id}>
        {title} {end !== undefined && end !== null && <span className={styles.end}>{end}</span>}
      </h2>
      {children}
    </section>
  );
}
