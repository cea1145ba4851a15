/** A text as it sounds: lower case, letters with their marks and digits, one space between words. Pure. */
export function asSpoken(text: string): string {
  const words =
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu) ?? [];
  return words.join(" ").replaceAll("’", "'");
}

/** The same without the politeness around it: “Parley, please stop” is “stop”. Pure. @param said as `asSpoken` gives it */
export const withoutPoliteness = (said: string): string =>
  said
    .replace(/^(?:(?:please|(?:(?:hey|okay|ok) )?parley) )+/, "")
    .replace(/(?: (?:please|parley|thanks|thank you))+$/, "");
