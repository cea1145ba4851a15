/**
 * The places of words that stand in both texts, in their order, so that as many as can be are paired (the longest common
 * subsequence). Quadratic: for texts of some hundred words, at most 65,535.
 * @returns `[place in one, place in other]`
 */
export function alignedWords(one: readonly string[], other: readonly string[]): [number, number][] {
  const width = other.length + 1;
  const longest = new Uint16Array((one.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    if (one[i] === other[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
