/**
 * Formulas in the ways that models write them, in the one way that the parser reads: `$$…$$` in a line, or between lines
 * of `$$`. Code is left as it is. A single `$` begins a formula only where it can be no price: no space after it, none
 * before the closing one, and no digit behind that.
 */
export function markMath(text: string): string {
  if (!mayHoldMath(text)) return text;
  return parts(text)
    .map(({ text: part, isCode }) => (isCode ? part : marked(part)))
    .join("");
}

/**
 * With its formulas as code, for a parser that knows no formulas: what stands in them stays as it is.
 * @param text as `markMath` gives it
 */
export function mathAsCode(text: string): string {
  if (!text.includes("$$")) return text;
  return parts(text)
    .map(({ text: part, isCode }) =>
      isCode
        ? part
        : part
            .replace(/^([ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?)\$\$[ \t]*$/gm, `$1${ticks}`)
            .replace(/\$\$((?:(?!\n[ \t]*\n)[^$])+)\$\$/g, `${ticks} $1 ${ticks}`),
    )
    .join("");
}

/** More than stand in any formula. */
const ticks = "`".repeat(12);

/** Whether there may be a formula at all: cheap, for every text. */
export const mayHoldMath = (text: string): boolean => /\$|\\\(|\\\[/.test(text);

/** What stands before a formula that is still being written. */
export function beforeOpenMath(text: string): string {
  if (!mayHoldMath(text)) return text;
  let at = 0;
  let open: { from: number; end: string } | null = null;
  for (const { text: part, isCode } of parts(text)) {
    for (const { 0: mark, index } of isCode ? [] : part.matchAll(/\$\$|\\[[\]()]/g)) {
      if (open) open = mark === open.end ? null : open;
      else if (ends.has(mark)) open = { from: at + index, end: ends.get(mark) ?? "" };
    }
    at += part.length;
  }
  return open ? text.slice(0, open.from) : text;
}

const ends = new Map([
  ["$$", "$$"],
  ["\\[", "\\]"],
  ["\\(", "\\)"],
]);

/** Fenced blocks, code in a line, and the rest. */
const code =
  /(^|\n) {0,3}(`{3,}|~{3,})[^\n]*(?:\n[\s\S]*?(?:\n {0,3}\2[`~]*[ \t]*(?=\n|$)|$)|$)|(`+)(?!`)[^`]*?\3(?!`)/g;

function parts(text: string): { text: string; isCode: boolean }[] {
  const found: { text: string; isCode: boolean }[] = [];
  let from = 0;
  for (const match of text.matchAll(code)) {
    found.push({ text: text.slice(from, match.index), isCode: false }, { text: match[0], isCode: true });
    from = match.index + match[0].length;
  }
  found.push({ text: text.slice(from), isCode: false });
  return found;
}

function marked(text: string): string {
  return (
    text
      // Display: in lines of its own, so that the parser sees a block.
      .replace(/^([ \t]*)\\\[([\s\S]+?)\\\][ \t]*$/gm, (_, indent: string, tex: string) => block(indent, tex))
      .replace(/^([ \t]*)\$\$(?!\n)([^\n$]+)\$\$[ \t]*$/gm, (_, indent: string, tex: string) =>
        block(indent, tex),
      )
      .replace(/\\\[([^\n]+?)\\\]/g, (_, tex: string) => `$$${tex}$$`)
      .replace(/\\\(([^\n]+?)\\\)/g, (_, tex: string) => `$$${tex}$$`)
      .replace(/(?<![\w$\\])\$(?![\s$])((?:\\.|[^$\n\\])*?)(?<!\s)\$(?![\d$])/g, (whole, tex: string) =>
        isFormula(tex) ? `$$${tex}$$` : whole,
      )
  );
}

/** What begins with a digit is a price, unless something in it is calculated. */
const isFormula = (tex: string) => (/^\d/.test(tex) ? /[\\^_=+*/<>{}-]/.test(tex) : tex !== "");

const block = (indent: string, tex: string) => `${indent}$$\n${indent}${tex.trim()}\n${indent}$$`;
