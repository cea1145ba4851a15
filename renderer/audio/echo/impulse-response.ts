/** Of the power: keeps what is hardly in the sound from being made up. */
const regularisation = 1e-3;

/**
 * What a linear way does to a sound: the filter that makes most of `heard` from `played` (least squares).
 * @param played begins `taps` samples before what was heard
 */
export function impulseResponse(played: Float64Array, heard: Float64Array, taps: number): Float64Array {
  const own = new Float64Array(taps);
  const both = new Float64Array(taps);
  for (let lag = 0; lag < taps; lag++) {
    let [alike, heardAlike] = [0, 0];
    for (let at = 0; at < heard.length; at++) {
      const earlier = played[at + taps - lag] ?? 0;
      alike += (played[at + taps] ?? 0) * earlier;
      heardAlike += (heard[at] ?? 0) * earlier;
    }
    own[lag] = alike;
    both[lag] = heardAlike;
  }
  own[0] = (own[0] ?? 0) * (1 + regularisation) + 1e-9;
  return solved(own, both);
}

/** Solves the symmetric Toeplitz system with Levinson's recursion. */
function solved(own: Float64Array, both: Float64Array): Float64Array {
  const size = own.length;
  const result = new Float64Array(size);
  let predictor = new Float64Array(size);
  predictor[0] = 1;
  let error = own[0] ?? 1;
  result[0] = (both[0] ?? 0) / error;
  for (let order = 1; order < size; order++) {
    let reflection = 0;
    for (let at = 0; at < order; at++) reflection += (predictor[at] ?? 0) * (own[order - at] ?? 0);
    reflection /= -error;
    const before = predictor;
    predictor = before.map((value, at) => (at <= order ? value + reflection * (before[order - at] ?? 0) : 0));
    error *= 1 - reflection * reflection;
    let rest = both[order] ?? 0;
    for (let at = 0; at < order; at++) rest -= (result[at] ?? 0) * (own[order - at] ?? 0);
    rest /= error;
    for (let at = 0; at <= order; at++) result[at] = (result[at] ?? 0) + rest * (predictor[order - at] ?? 0);
  }
  return result;
}
