/** Words in a line of Markdown: on one line, and shown as they are. */
export const inlineMarkdown = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll(/[\\`*_[\]<>#|~&]/g, "\\$&");
