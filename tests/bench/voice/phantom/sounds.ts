import { basename, dirname, join, relative } from "node:path";
import { filesBelow, packageFolder, unpackedSoundFile } from "./packages.ts";

export interface SoundFile {
  name: string;
  path: string;
}

/** Somebody's short answer. */
export interface AnswerFile extends SoundFile {
  words: string;
}

interface SoundFiles {
  /** By kind: what the microphone hears of a day beside speech, one sound a file. */
  noises: Readonly<Record<string, SoundFile[]>>;
  music: SoundFile[];
  answers: AnswerFile[];
}

const isSound = /\.(?:wav|ogg|oga|mp3|flac|opus|m4a)$/i;
/** Voices of the game Hedgewars that speak English and are not made strange. */
const voices = /^(?:British|Classic|Default|HillBilly|Mobster|Pirate|Russian|Surfer)$/;
/** What those voices say, by file. */
const called: Readonly<Record<string, string>> = {
  ...{
    Amazing: "amazing",
    Boring: "boring",
    Brilliant: "brilliant",
    Byebye: "bye bye",
    Excellent: "excellent",
  },
  ...{ Hello: "hello", Hurry: "hurry", Yessir: "yes sir" },
};
const digits = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
/** What the voice of the telephone exchange Asterisk says, by file. */
const announced: Readonly<Record<string, string>> = {
  ...Object.fromEntries(digits.map((word, digit) => [`digits/${digit}`, word])),
  ...{ "digits/10": "ten", "digits/11": "eleven", "digits/12": "twelve", "digits/20": "twenty" },
  ...{ "digits/today": "today", "digits/tomorrow": "tomorrow", "digits/yesterday": "yesterday" },
  ...{ "digits/hundred": "hundred", "digits/thousand": "thousand" },
  ...{ cancelled: "cancelled", goodbye: "goodbye", hello: "hello", invalid: "invalid", number: "number" },
  ...{
    second: "second",
    sorry: "sorry",
    "im-sorry": "i'm sorry",
    time: "time",
    "please-try-again": "please try again",
  },
  ...{ "vm-first": "first", "vm-last": "last", "vm-next": "next", "vm-no": "no", "vm-repeat": "repeat" },
};
/** Words in SuperTux, beside its folder of speech. */
const spoken = /\/(?:excellent|yeti_gna|welldone)\./;

/**
 * The sounds of the bench. The licences: Tux Paint's stamps GPL-2; SuperTux GPL-3+ and CC-BY-SA; OpenSFX CC-BY-SA-3.0,
 * CC-BY-3.0 and CC0; Freedesktop's theme CC-BY-SA and GPL-2+; Hedgewars GPL-2; Asterisk's sounds CC-BY-SA-3.0.
 * @param folder more of them: `sounds/KIND/…`, and `answers/…`, where each file is named after its words, or its folder is
 */
export async function soundFiles(folder: string | undefined): Promise<SoundFiles> {
  const stamps = await below("tuxpaint-stamps-default", "usr/share/tuxpaint/stamps");
  const tux = await below("supertux-data", "usr/share/games/supertux2/sounds");
  const theme = await below("sound-theme-freedesktop", "usr/share/sounds/freedesktop/stereo");
  const hedgewars = await below("hedgewars-data", "usr/share/games/hedgewars/Data");
  const asterisk = await below("asterisk-core-sounds-en-wav", "usr/share/asterisk/sounds/en_US_f_Allison");
  const openttd = join(await packageFolder("openttd-opensfx"), "usr/share/games/openttd/baseset/opensfx");
  const machines = named(unpackedSoundFile(join(openttd, "opensfx.cat")));
  // What a stamp shows is said in `…_desc_LANGUAGE`.
  const stamp = (kinds: RegExp) => stamps.filter(({ name }) => kinds.test(name) && !/_desc/.test(name));
  const voice = ({ name }: SoundFile) => /^Sounds\/voices\/(\w+)\/(\w+)\.ogg$/.exec(name) ?? [];
  const cries = (words: RegExp) =>
    hedgewars.filter((sound) => {
      const [, who = "", what = ""] = voice(sound);
      return words.test(what) && (voices.test(who) || what === "PoisonCough");
    });
  const noises: Record<string, SoundFile[]> = {
    coughs: cries(/^PoisonCough$/),
    groans: cries(/^(?:Ooff|Ow)\d$|^Laugh$/),
    animals: stamp(/^animals\//),
    effects: tux.filter(({ path }) => !spoken.test(path)),
    machines: [...machines, ...stamp(/^vehicles\//)],
    household: [
      ...stamp(/^(?:household|naturalforces|hobbies)\//),
      // "Front left" and such.
      ...theme.filter(({ name }) => !name.startsWith("audio-channel")),
      ...hedgewars.filter(({ name }) => householdOf.test(name)),
    ],
  };
  const answers = [
    ...stamps.flatMap((sound) => {
      const digit = /^symbols\/math\/(\d)(?:_en_GB)?\.ogg$/.exec(sound.name)?.[1];
      return digit === undefined ? [] : [{ ...sound, words: digits[Number(digit)] ?? "" }];
    }),
    ...hedgewars.flatMap((sound) => {
      const [, who = "", what = ""] = voice(sound);
      const words = called[what];
      return words !== undefined && voices.test(who) ? [{ ...sound, words }] : [];
    }),
    ...asterisk.flatMap((sound) => {
      const words = announced[sound.name.replace(/\.wav$/, "")];
      return words === undefined ? [] : [{ ...sound, words }];
    }),
  ];
  if (folder !== undefined) {
    for (const sound of named(join(folder, "sounds"))) {
      const kind = sound.name.split("/")[0] ?? "";
      noises[kind] = [...(noises[kind] ?? []), sound];
    }
    answers.push(...named(join(folder, "answers")).map(withWords));
  }
  return { noises, music: hedgewars.filter(({ name }) => name.startsWith("Music/")), answers };
}

/** Of the effects of Hedgewars what may sound in a room. */
const householdOf =
  /^Sounds\/(?:Droplet\d|Whistle|Kiss|baseballbat|bee|beep|bump|egg|hammer|pickhammer|shutterclick|splash|steam|steps|whipcrack|drillgun)\.ogg$/;

const below = async (name: string, folder: string) => named(join(await packageFolder(name), folder));

const named = (folder: string): SoundFile[] =>
  filesBelow(folder)
    .filter((path) => isSound.test(path))
    .map((path) => ({ name: relative(folder, path), path }));

/** A file in `yes/` says "yes", and so does `yes_3.wav` in no folder of its own. */
function withWords(sound: SoundFile): AnswerFile {
  const folder = dirname(sound.name);
  const words = folder === "." ? basename(sound.name).replace(/[_\d]*\.\w+$/, "") : basename(folder);
  return { ...sound, words: words.replaceAll(/[_-]/g, " ") };
}
