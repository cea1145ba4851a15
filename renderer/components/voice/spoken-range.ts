import { rangesIn } from "../transcript/find/ranges-in.ts";

/** So many words at each end of a sentence tell where it is. */
const endWords = 3;
/** What stands between them on the page may be so much longer than what is said. */
const longer = { times: 2, chars: 40 };

/**
 * Where a sentence stands in a reply as it is shown. What the page adds to it, such as struck words and the marks of footnotes, is
 * within the range; a list's number, which is not in the page's text, is left out.
 * @returns undefined: it is said in other words
 */
export function spokenRange(reply: Element, sentence: string): Range | undefined {
  const text = sentence.replace(/^\d+: /, "").replace(/^[☑☐] /, "");
  const [whole] = rangesIn(reply, text);
  const words = text.split(" ");
  if (whole || words.length < endWords * 2) return whole;
  const heads = rangesIn(reply, words.slice(0, endWords).join(" "));
  const tails = rangesIn(reply, words.slice(-endWords).join(" "));
  const most = text.length * longer.times + longer.chars;
  for (const head of heads) {
    const tail = tails.find((one) => head.compareBoundaryPoints(Range.END_TO_START, one) <= 0);
    if (!tail) continue;
    const range = document.createRange();
    range.setStart(head.startContainer, head.startOffset);
    range.setEnd(tail.endContainer, tail.endOffset);
    if (range.toString().length <= most) return range;
  }
  return undefined;
}
