const listOf = (words: string) => words.split(/\s+/);
const common = new Set(
  listOf(`a about above after again all almost also always am an and another any anything are around as ask at away
  back be because been before being best better big both but by call came can can't cannot come could day did didn't
  do does doesn't doing don't done down each early even ever every everything false far few find first for four from
  full gave get give go goes going gone good got great had has have haven't having he hear heard her here here's him
  his home hour how i i'd i'll i'm i've if in into is isn't it it's its just keep kept know last late later least left
  less let like little long look made make many may maybe me mean might mind more most much must my name need never new
  next nice night no none nor not nothing now of off often oh ok okay old on once one only open or other our out over
  own part people perhaps place please put quite rather read really right said same saw say see seem send set she
  should show side since so some something soon sorry still stop such sure take tell than thank thanks that that's the
  their them then there there's these they they're thing things think this those though thought three through time to
  today together told tomorrow tonight too took true try two under until up upon us use used very wait want was wasn't
  way we we'll we're well went were what what's when where which while who whole whose why will with without won't
  word words work world would write wrong yeah year years yes yesterday yet you you'd you'll you're you've your
  monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
  october november december`),
);

/** One of the words that everybody uses: no name, whatever it is written in. */
export const isCommonWord = (word: string): boolean => common.has(word.toLowerCase().replaceAll("’", "'"));
