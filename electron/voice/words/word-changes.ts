/** What was put in place of what, in words as they were written, without the marks around them. */
export interface WordChange {
  from: string[];
  to: string[];
  /** The place of the first word of `to` in the new text. */
  at: number;
}

export interface WordChanges {
  changes: WordChange[];
  /** How many words both have. */
  kept: number;
}

/** Longer texts are no correction of a word. */
const maxWords = 400;

interface Written {
  text: string;
  key: string;
}

/** Where two texts differ, laid side by side so that as many words as can be stay. Case and punctuation do not count. */
export function wordChanges(before: string, after: string): WordChanges {
  const from = wordsOf(before);
  const to = wordsOf(after);
  if (from.length > maxWords || to.length > maxWords) return { changes: [], kept: 0 };
  const width = to.length + 1;
  const same = new Uint16Array((from.length + 1) * width);
  const sameAt = (i: number, j: number) => same[i * width + j] ?? 0;
  for (let i = from.length - 1; i >= 0; i--) {
    for (let j = to.length - 1; j >= 0; j--) {
      same[i * width + j] =
        from[i]?.key === to[j]?.key ? sameAt(i + 1, j + 1) + 1 : Math.max(sameAt(i + 1, j), sameAt(i, j + 1));
    }
  }
  const changes: WordChange[] = [];
  let open: WordChange | null = null;
  for (let i = 0, j = 0; i < from.length || j < to.length; ) {
    const [one, other] = [from[i], to[j]];
    if (one && other && one.key === other.key) {
      open = null;
      i += 1;
      j += 1;
      continue;
    }
    if (!open) {
      open = { from: [], to: [], at: j };
      changes.push(open);
    }
    if (one && (!other || sameAt(i + 1, j) >= sameAt(i, j + 1))) {
      open.from.push(one.text);
      i += 1;
    } else if (other) {
      open.to.push(other.text);
      j += 1;
    }
  }
  return { changes, kept: sameAt(0, 0) };
}

function wordsOf(text: string): Written[] {
  return text.split(/\s+/).flatMap((part) => {
    const word = part.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
    return word === "" ? [] : [{ text: word, key: word.toLowerCase() }];
  });
}
