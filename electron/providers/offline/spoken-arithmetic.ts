/**
 * Turns arithmetic as people type or say it into an expression: "twelve times nine" → "12 * 9",
 * "the square root of sixteen" → "sqrt(16)", "twenty percent of 50" → "20 / 100 * 50".
 * @returns null for anything that is not arithmetic from beginning to end
 */
export function toExpression(text: string): string | null {
  const tokens = tokenize(text);
  if (!tokens) return null;
  const parts: string[] = [];
  let openRoots = 0;
  let calculates = false;
  let afterNumber = false;
  for (let at = 0; at < tokens.length; ) {
    const number = readNumber(tokens, at);
    if (number) {
      // "one two plus three" is a list of words, not a sum.
      if (afterNumber) return null;
      afterNumber = true;
      parts.push(number.text, ")".repeat(openRoots));
      openRoots = 0;
      at = number.next;
      continue;
    }
    const operator = operators.find(({ words }) => words.every((word, index) => tokens[at + index] === word));
    if (!operator) return null;
    afterNumber = false;
    parts.push(operator.text);
    // Said, a root has no closing bracket: it ends with its number.
    if (operator.text === "sqrt(" && !operator.words.includes("(")) openRoots++;
    calculates ||= /[-+*/^!]|sqrt/.test(operator.text);
    at += operator.words.length;
  }
  const expression = parts.join("").trim().replaceAll(/ {2,}/g, " ");
  return calculates && /\d/.test(expression) && openRoots === 0 && isBalanced(expression) ? expression : null;
}

/** @returns null when a character belongs to no token */
function tokenize(text: string): string[] | null {
  const plain = text.toLowerCase().replaceAll(/[-‐](?=[a-z])/g, " ");
  const left = plain.replaceAll(token, "").replaceAll(/[\s=?,]/g, "");
  return left === "" ? (plain.match(token) ?? []) : null;
}

const token = /\d[\d,]*(?:\.\d+)?|\.\d+|[a-z]+|[-+*/^()!%×÷−·]/g;

/** Longer wordings first. */
const operators: readonly { words: string[]; text: string }[] = [
  ["to the power of", " ^ "],
  ["the square root of", "sqrt("],
  ["square root of", "sqrt("],
  ["multiplied by", " * "],
  ["divided by", " / "],
  ["percent of", " / 100 * "],
  ["% of", " / 100 * "],
  ["sqrt (", "sqrt("],
  ["squared", " ^ 2"],
  ["cubed", " ^ 3"],
  ["times", " * "],
  ["plus", " + "],
  ["minus", " - "],
  ["over", " / "],
  ["negative", " -"],
  ["x", " * "],
  ["×", " * "],
  ["·", " * "],
  ["*", " * "],
  ["÷", " / "],
  ["/", " / "],
  ["+", " + "],
  ["−", " - "],
  ["-", " - "],
  ["^", " ^ "],
  ["!", "!"],
  ["(", "("],
  [")", ")"],
].map(([words = "", text = ""]) => ({ words: words.split(" "), text }));

function isBalanced(expression: string): boolean {
  let depth = 0;
  for (const char of expression) {
    if (char === "(") depth++;
    if (char === ")" && --depth < 0) return false;
  }
  return depth === 0;
}

const small =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const scales: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9 };

/** A number in digits or in words ("one hundred and five", "three point one four", "2 million"). */
function readNumber(tokens: readonly string[], from: number): { text: string; next: number } | null {
  const first = tokens[from] ?? "";
  if (/^[\d.]/.test(first)) {
    const scale = scales[tokens[from + 1] ?? ""];
    const value = first.replaceAll(",", "");
    return scale ? { text: String(Number(value) * scale), next: from + 2 } : { text: value, next: from + 1 };
  }
  const whole = readWhole(tokens, from);
  if (!whole || tokens[whole.next] !== "point")
    return whole && { text: String(whole.value), next: whole.next };
  let { next } = whole;
  let decimals = "";
  for (next++; ; next++) {
    const digit = small.indexOf(tokens[next] ?? "");
    if (digit < 0 || digit > 9) break;
    decimals += digit;
  }
  return decimals === "" ? null : { text: `${whole.value}.${decimals}`, next };
}

function readWhole(tokens: readonly string[], from: number): { value: number; next: number } | null {
  let total = 0;
  /** Below the next scale: hundreds, tens and ones. */
  let group = 0;
  let next = from;
  for (; next < tokens.length; next++) {
    const word = tokens[next] ?? "";
    const ones = small.indexOf(word);
    const ten = tens.indexOf(word);
    const scale = scales[word];
    const after = tokens[next + 1] ?? "";
    if (
      ones >= 0 &&
      (group % 100 === 0 || (ones > 0 && ones < 10 && group % 100 >= 20 && group % 10 === 0))
    ) {
      group += ones;
    } else if (ten >= 0 && group % 100 === 0) group += (ten + 2) * 10;
    else if (word === "hundred" && next > from && group > 0 && group < 10) group *= 100;
    else if (scale && next > from && group > 0) {
      total += group * scale;
      group = 0;
    } else if (word === "a" && next === from && (after === "hundred" || scales[after])) group = 1;
    else if (word === "and" && next > from && group % 100 === 0 && isNumberWord(after)) continue;
    else break;
  }
  return next === from ? null : { value: total + group, next };
}

const isNumberWord = (word: string) => small.includes(word) || tens.includes(word);
