/** A fact: its name, and what it is. Both in Markdown. */
export interface AnswerRow {
  name: string;
  value: string;
}

/** A piece of a command's answer: facts beside one another, rows that begin with what they are about, or text. */
export type AnswerPart =
  | { kind: "facts" | "rows"; rows: readonly AnswerRow[] }
  | { kind: "text"; text: string };

/** `- folder: …`: a name of a few plain words. */
const fact = /^- ([A-Za-z][\w -]{0,30}): (\S.*)$/;
/** `- \`/help\`: …`, `- \`1a2b3c\` A title · 14:20`, `- **Ask first** (\`ask\`): …` */
const row = /^- (`[^`]+`|\*\*[^*]+\*\*(?: \(`[^`]+`\))?):? (\S.*)$/;

/** A longer one takes a row of its own. */
const maxFactChars = 60;

/**
 * The answer of a command, which is Markdown, with its lists of facts as what they are.
 * @param output whatever a command says
 */
export function answerParts(output: string): AnswerPart[] {
  const parts: AnswerPart[] = [];
  let text: string[] = [];
  let isCode = false;
  const endText = () => {
    const words = text.join("\n").trim();
    if (words !== "") parts.push({ kind: "text", text: words });
    text = [];
  };
  const add = (kind: "facts" | "rows", one: AnswerRow) => {
    const hasText = text.some((line) => line.trim() !== "");
    endText();
    const last = parts.at(-1);
    if (!hasText && last?.kind === kind) parts[parts.length - 1] = { kind, rows: [...last.rows, one] };
    else parts.push({ kind, rows: [one] });
  };
  const lines = output.split("\n");
  for (const [at, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    // What goes on in the next line is more than a row.
    const isWhole = !isCode && !/^\s+\S/.test(lines[at + 1] ?? "");
    const [, name, value] = (isWhole && (fact.exec(line) ?? row.exec(line))) || [];
    if (name === undefined || value === undefined) text.push(line);
    else
      add(fact.test(line) && value.length <= maxFactChars ? "facts" : "rows", { name: capital(name), value });
  }
  endText();
  return parts;
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
