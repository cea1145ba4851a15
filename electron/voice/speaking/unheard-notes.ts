/** Enough to find the place. */
const placeWords = 12;

/** What the model is told of a reply that was cut off: the user does not know what they did not hear. */
export function interruptionNote(heard: string): string {
  const words = lastWords(heard);
  const after = words === "" ? "before its first word" : `after “…${words}”`;
  return `[The reply above was being read aloud and was interrupted ${after}. The user did not hear the rest.]`;
}

/** The same of one of which only the beginning was said. */
export function shortenedNote(heard: string): string {
  const words = lastWords(heard);
  const upTo =
    words === "" ? "nothing was read aloud" : `only the beginning was read aloud, up to “…${words}”`;
  return `[Of the reply above, ${upTo}. The user did not hear the rest: it is on the screen.]`;
}

const lastWords = (heard: string) => heard.split(" ").slice(-placeWords).join(" ");
