import { parseArgs } from "node:util";
import { finalsOf } from "../integration/stt/stt-client.ts";
import { embeddedModel, hearAll } from "../integration/stt/stt-in-process.ts";
import { clipsOf, pcmOf } from "./stt/clips.ts";
import { heardOf, names, sentences, taughtBy, voices } from "./words/taught-names.ts";

// npm run bench -- words [--dir D --refs F] [--teacher slt]
// How well the user's words are heard once they were taught: a synthetic voice says each of ten made-up names and is
// corrected, then other voices say them in other sentences. Of two lists: one by which the rules were chosen, one that
// they were not. Also how many of the names appear in the recordings of F, in which nobody says them.
const { values } = parseArgs({
  options: {
    dir: { type: "string", default: "tests/fixtures/audio" },
    refs: { type: "string", default: "tests/fixtures/audio/transcripts.txt" },
    teacher: { type: "string" },
  },
});
const model = await embeddedModel();
const teachers = voices.filter((voice) => values.teacher === undefined || voice === values.teacher);
for (const [list, taught] of Object.entries(names)) {
  for (const teacher of teachers) {
    const words = await taughtBy(model, teacher, taught);
    const right: Record<string, string> = {};
    const missed: string[] = [];
    let others = 0;
    for (const voice of voices.filter((one) => one !== teacher)) {
      let count = 0;
      for (const name of taught) {
        for (const sentence of sentences) {
          const { text } = await heardOf(model, voice, sentence.replace("@", name), words);
          others += taught.filter((other) => other !== name && text.includes(other)).length;
          if (text.includes(name)) count += 1;
          else missed.push(`${voice}: ${name}: ${text}`);
        }
      }
      right[voice] = `${count} of ${taught.length * sentences.length}`;
    }
    const hot_words = words.map(({ word }) => word);
    const hot_words_heard_as = Object.fromEntries(words.map(({ word, heardAs }) => [word, heardAs]));
    let neverSaid = 0;
    for (const clip of clipsOf(values.dir, values.refs)) {
      const pcm = await pcmOf(clip);
      const events = await hearAll(model, { hot_words, hot_words_heard_as }, () => [pcm]);
      const text = finalsOf(events)
        .map((final) => final.text)
        .join(" ");
      neverSaid += taught.filter((name) => text.includes(name)).length;
    }
    const learned = words.filter(({ heardAs }) => heardAs.length > 0).length;
    console.log(JSON.stringify({ list, teacher, learned, right, otherNames: others, neverSaid, missed }));
  }
}
process.exit(0);
