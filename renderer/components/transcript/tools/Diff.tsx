import { texts } from "../../../texts/texts.ts";
import styles from "./Diff.module.css";

const mostLines = 500;

/** A unified diff; its signs say what its colours say. */
export function Diff({ text, label }: { text: string; label: string }) {
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
    <section className={styles.diff} tabIndex={0} aria-label={label}>
      {lines.slice(0, mostLines).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never change places
        <span key={index} className={kindOf(line)} data-sign={signOf(line)}>
          {`${line}\n`}
        </span>
      ))}
      {lines.length > mostLines && (
        <span className={styles.hunk}>{texts.transcript.moreLines(lines.length - mostLines)}</span>
      )}
    </section>
  );
}

function kindOf(line: string): string | undefined {
  if (isAbout.test(line)) return styles.hunk;
  const sign = signOf(line);
  return sign && (sign === "+" ? styles.add : styles.del);
}

const isAbout = /^(\+\+\+|---|Index:|===|@@)/;
const signOf = (line: string) => (isAbout.test(line) ? undefined : /^[+-]/.exec(line)?.[0]);
