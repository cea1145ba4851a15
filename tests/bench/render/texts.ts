/** A reply as models give them: prose, lists, a table, and code in four languages. */
const part = (index: number) => `## Part ${index}: how the pieces fit

The **scheduler** takes what waits, in order, and gives each piece its turn. Where two want the same file, the second one
waits for the first; \`nextDue\` says which of them that is. Nothing is lost when the process ends in between, since each step
is written down before it is taken.

- A *reader* never waits for a writer.
- A writer waits for the one before it:
  1. it asks for the lock,
  2. it writes, and says what it wrote,
  3. it gives the lock back.
- See [the manual](https://example.org/manual) for the rest.

\`\`\`typescript
/** The piece that is due next; null: nothing waits. */
export function nextDue(pieces: readonly Piece[], nowMs: number): Piece | null {
  let found: Piece | null = null;
  for (const piece of pieces) {
    if (piece.dueMs > nowMs || piece.state !== "waiting") continue;
    if (found === null || piece.dueMs < found.dueMs) found = piece;
  }
  return found; // ${index}
}
\`\`\`

| Step | Waits for | Takes (ms) | Kept |
|---|---|---:|---|
| read | nobody | 0.4 | no |
| lock | the writer before | 1.2 | no |
| write | the disk | 8.5 | yes |
| tell | the readers | 0.1 | yes |

\`\`\`python
def due(pieces, now):
    """Pieces that are due, the oldest first."""
    waiting = [p for p in pieces if p.state == "waiting" and p.due <= now]
    return sorted(waiting, key=lambda p: p.due)[: ${index + 10}]
\`\`\`

> What was written stays written, also when the lamp goes out.

\`\`\`bash
for file in pieces/*.json; do
  jq -r '.state + " " + .name' "$file" | sort | uniq -c   # ${index}
done
\`\`\`

`;

/** @param words how many there are at least; one word is one delta */
export function longReply(words: number): string {
  let text = "";
  for (let index = 1; (text.match(/\S+/g)?.length ?? 0) < words; index++) text += part(index);
  return text;
}

/** A short reply with code, number `index` of a conversation. */
export const seededReply = (index: number): string => `That is number ${index}. It is done like this:

\`\`\`typescript
export const step${index} = (value: number): string => {
  const doubled = value * 2; // as before
  return doubled > ${index} ? \`more than \${doubled}\` : "less";
};
\`\`\`

- It changes nothing else.
- It can be **taken back** at any time.
`;
