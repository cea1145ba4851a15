import { visibleText } from "../../../../shared/safety/visible-text.ts";
import styles from "./DiffText.module.css";

/** A unified diff, line by line, with what it adds and removes in colour; the signs say it, too. */
export function DiffText({ diff }: { diff: string }) {
  const lines = visibleText(diff).split("\n");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
    <pre className={styles.diff} tabIndex={0}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a diff stay where they are
        <span key={index} className={kindOf(line)} data-sign={signOf(line)}>
          {line}
          {index < lines.length - 1 && "\n"}
        </span>
      ))}
    </pre>
  );
}

function kindOf(line: string): string | undefined {
  if (isAbout.test(line)) return styles.about;
  const sign = signOf(line);
  return sign && (sign === "+" ? styles.added : styles.removed);
}

const isAbout = /^(\+\+\+|---|rename |@@)/;
const signOf = (line: string) => (isAbout.test(line) ? undefined : /^[+-]/.exec(line)?.[0]);
