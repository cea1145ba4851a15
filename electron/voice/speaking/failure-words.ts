import type { UserError } from "../../../shared/conversation/events.ts";
import { sentencesOf } from "./spoken-sentences.ts";

/** A failure is told in so many sentences, and in so many UTF-16 units: the rest is on the screen. */
const maxSentences = 2;
const maxFailureChars = 160;

/** What is said where nothing of an error can be said aloud. */
const somethingFailed = "Something went wrong. The screen says what.";

/** An error in words for the ear: its own first sentences, without addresses, ids and what programs write. Pure. */
export function failureWords({ message, hint = "" }: Pick<UserError, "message" | "hint">): string {
  const said: string[] = [];
  for (const sentence of sentencesOf(sayable(`${message} ${hint}`))) {
    // What a program said often stands behind a colon.
    const begun = unsayable.test(sentence) ? sentence.replace(/:\s.*$/s, ".") : sentence;
    const isLong = [...said, begun].join(" ").length > maxFailureChars;
    if (said.length === maxSentences || isLong || unsayable.test(begun)) break;
    said.push(begun.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()));
    if (begun !== sentence) break;
  }
  return said.join(" ") || somethingFailed;
}

const sayable = (text: string) =>
  text
    .replaceAll(/\s*\([^()]*(?:[{}]|\w_\w|\d{5,})[^()]*\)/g, "")
    .replaceAll(/\b[a-z][a-z\d+.-]*:\/\/[^\s,)”"]*[^\s,.)”"!?;:]/gi, "the server")
    .replaceAll(
      /\b(?:(?:[a-z\d-]+\.)+(?:com|org|net|io|ai|dev|app|cloud|edu|gov|local|lan|internal|home|test|example|invalid)\b|(?:[a-z\d-]+\.){2,}[a-z]{2}\b|localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?(?:\/[^\s,)”"]*[^\s,.)”"!?;:])?(?![\w.-]*@)/gi,
      "the server",
    )
    .replaceAll(
      /\b(?=[\w-]*\d)(?:[a-z]+[_-])?[\da-f]{8}[\da-f-]*\b|\b(?:req|request|msg|run|org|proj)[_-](?=\w*\d)[\w-]{6,}/gi,
      "",
    )
    .replaceAll(/ +(?=[,.;:!?])/g, "");

/** JSON, names of variables, stacks, paths. */
const unsayable = /[{}<>\\|=]|\w_\w|\[[^\]]*["{]|\bat \w+ \(|(?:^|\s)\/\w+\//;
