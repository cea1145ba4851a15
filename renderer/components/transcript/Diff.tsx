import { texts } from "../../texts/texts.ts";

const mostLines = 500;

/** A unified diff; its signs say what its colours say. */
export function Diff({ text, label }: { text: string; label: string }) {
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
    <section className="diff" tabIndex={0} aria-label={label}>
      {lines.slice(0, mostLines).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never change places
        <span key={index} className={kindOf(line)}>
          {`${line}\n`}
        </span>
      ))}
      {lines.length > mostLines && (
        <span className="hunk">{texts.transcript.moreLines(lines.length - mostLines)}</span>
      )}
    </section>
  );
}

function kindOf(line: string): string | undefined {
  if (/^(\+\+\+|---|Index:|===)/.test(line)) return "hunk";
  if (line.startsWith("@@")) return "hunk";
  if (line.startsWith("+")) return "add";
  return line.startsWith("-") ? "del" : undefined;
}
