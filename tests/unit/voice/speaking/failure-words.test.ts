import { expect, test } from "vitest";
import { failureWords } from "../../../../electron/voice/speaking/failure-words.ts";

test.each([
  [
    "No connection to api.anthropic.com.",
    "Check the network.",
    "No connection to the server. Check the network.",
  ],
  ["The model is overloaded.", "Try again.", "The model is overloaded. Try again."],
  ['Anthropic answered: {"type":"error","message":"no"}. More.', undefined, "Anthropic answered."],
  ['{"type":"error"}', undefined, "Something went wrong. The screen says what."],
  ["api.openai.com answered with a web page.", "", "The server answered with a web page."],
  [
    "There is no key for Claude.",
    "Set `ANTHROPIC_API_KEY`, or enter a key in the settings.",
    "There is no key for Claude.",
  ],
  ["The request failed (req_011CTx7abc12345). Wait.", undefined, "The request failed. Wait."],
  ["No answer from http://127.0.0.1:11434/api/chat, again.", undefined, "No answer from the server, again."],
  [
    "notes.txt and node.js are too long for models.acme.co.uk.",
    undefined,
    "Notes.txt and node.js are too long for the server.",
  ],
  ["One. Two. Three.", "Four.", "One. Two."],
  [`${"Word ".repeat(40)}end.`, "Short.", "Something went wrong. The screen says what."],
  [`First. ${"Word ".repeat(40)}end.`, undefined, "First."],
  ["You have spent 12.50 of 12.00 dollars.", undefined, "You have spent 12.50 of 12.00 dollars."],
])("of “%s %s”, “%s” is said", (message, hint, words) => {
  expect(failureWords({ message, ...(hint !== undefined && { hint }) })).toBe(words);
});
