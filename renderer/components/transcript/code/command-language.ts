import bash from "highlight.js/lib/languages/bash";
import type { LanguageFn } from "lowlight";

/** The first word of a command, if it is a program: not a word of the language, nor a variable that is set. */
const program =
  /(?=[\w./~])(?<=(?:(?<!\\\n)^|&&|\|\|?|[;(])\s*)(?!(?:if|then|elif|else|fi|for|in|while|until|do|done|case|esac|time|function|select)\b)(?!\w+=)[\w./~-]+/;

/** A command for bash: one sees how many programs it runs, and which. */
export const command: LanguageFn = (hljs) => {
  const language = bash(hljs);
  return {
    ...language,
    name: "Command",
    aliases: [],
    contains: [
      { scope: "operator", match: /&&|\|\|?|;/ },
      { scope: "title", match: program },
      ...language.contains,
    ],
  };
};
