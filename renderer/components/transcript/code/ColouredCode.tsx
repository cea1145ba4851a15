import { memo, use } from "react";
import styles from "./ColouredCode.module.css";
import { type CodeKind, piecesOf } from "./code-marks.ts";
import { NearContext } from "./near-context.ts";
import { useCodeMarks } from "./use-code-marks.ts";

/**
 * Code in the colours of its language, plain until they are there. Only lines that change are drawn again. Far from sight it
 * is plain, too: colours are most of what a long reply takes of memory.
 */
export function ColouredCode({ code, language }: { code: string; language: string }) {
  const isNear = use(NearContext);
  const marks = useCodeMarks(code, isNear ? language : "");
  const lines = code.split("\n");
  return (
    <code>
      {marks === null
        ? code
        : lines.map((line, index) => (
            <Line
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
              key={index}
              line={index < lines.length - 1 ? `${line}\n` : line}
              marks={marks[index] ?? ""}
            />
          ))}
    </code>
  );
}

const Line = memo(function Line({ line, marks }: { line: string; marks: string }) {
  return piecesOf(line, marks).map(({ text, kind }, index) =>
    kind === "plain" ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
      <span key={index} className={classes[kind]}>
        {text}
      </span>
    ),
  );
});

const classes: Record<Exclude<CodeKind, "plain">, string | undefined> = {
  keyword: styles.keyword,
  text: styles.text,
  number: styles.number,
  name: styles.name,
  type: styles.type,
  comment: styles.comment,
  added: styles.added,
  removed: styles.removed,
};
