import { useMemo } from "react";
import { visibleText } from "../../../../shared/safety/visible-text.ts";
import { type DiffLine, type FileDiff, readDiff } from "../../../state/conversation/diff-lines.ts";
import { texts } from "../../../texts/texts.ts";
import styles from "./DiffView.module.css";

const t = texts.transcript.diff;

interface FileDiffsProps {
  files: readonly FileDiff[];
  /** The line above says which file it is, and how much changes. */
  hasOwnHead?: boolean;
  /** Scrolls when it is long. */
  isTall?: boolean;
}

/** @param diff unified, of one file or several */
export function DiffView({ diff, ...more }: Omit<FileDiffsProps, "files"> & { diff: string }) {
  const files = useMemo(() => readDiff(visibleText(diff)), [diff]);
  return <FileDiffs files={files} {...more} />;
}

/** What changes in files, line by line: numbers, signs that say what the colours say, changed words marked. */
export function FileDiffs({ files, hasOwnHead = false, isTall = false }: FileDiffsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a figure would be a box of its own
    <div
      className={isTall ? `${styles.diff} ${styles.tall}` : styles.diff}
      data-testid="diff"
      role="group"
      aria-label={t.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
      tabIndex={0}
    >
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the files of a diff stay where they are
        <div key={index}>
          {!(hasOwnHead && files.length === 1) && <Head file={file} />}
          {file.lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a diff stay where they are
            <Line key={at} line={line} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Head({ file: { path, from, added, removed } }: { file: FileDiff }) {
  return (
    <div className={styles.head} data-testid="diff-file">
      <code>{from === null ? path : t.renamed(from, path)}</code>
      <Counts added={added} removed={removed} />
    </div>
  );
}

/** How many lines come and go. */
export function Counts({ added, removed }: { added: number; removed: number }) {
  return (
    <span className={styles.counts}>
      {added > 0 && <span className={styles.plus}>{t.added(added)}</span>}
      {removed > 0 && <span className={styles.minus}>{t.removed(removed)}</span>}
    </span>
  );
}

const signs = { add: "+", del: "-", same: " " } as const;

function Line({ line: { kind, number, parts } }: { line: DiffLine }) {
  if (kind === "skip") return <div className={styles.skip}>{t.skipped}</div>;
  if (kind === "raw") return <div className={styles.raw}>{parts.map(({ text }) => text)}</div>;
  return (
    <div className={styles[kind]} data-sign={kind === "same" ? undefined : signs[kind]}>
      <i>{number}</i>
      <s>{signs[kind]}</s>
      <span>
        {parts.map(({ text, isChanged }, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line stay where they are
          isChanged ? <mark key={index}>{text}</mark> : text,
        )}
      </span>
    </div>
  );
}
