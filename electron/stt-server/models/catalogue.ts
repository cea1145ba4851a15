import { z } from "zod";
import models from "../../../resources/speech-models.json" with { type: "json" };
import { recommendedFor } from "../../../shared/voice/stt.ts";

/** How a model's files are used; see `detect.ts` for what tells them apart. */
export const modelKind = z.enum([
  "vosk",
  "streaming-transducer",
  "nemo-transducer",
  "nemo-ctc",
  "whisper",
  "moonshine",
  "vits-voice",
  "supertonic-voice",
  "punctuation",
]);
export type ModelKind = z.infer<typeof modelKind>;

/** Kinds that recognise no speech: a voice speaks, a punctuation model writes what was heard. */
type VoiceKind = "vits-voice" | "supertonic-voice";
export type OtherKind = VoiceKind | "punctuation";
const isVoice = (kind: ModelKind): kind is VoiceKind => kind === "vits-voice" || kind === "supertonic-voice";
export const isRecogniser = (kind: ModelKind): kind is Exclude<ModelKind, OtherKind> =>
  !isVoice(kind) && kind !== "punctuation";

const file = z
  .object({
    name: z.string().regex(/^\w[\w.-]*$/, "only letters, digits, _, . and -, and no . or - in front"),
    url: z.url({ protocol: /^https?$/, error: "an address that begins with https:// or http://" }),
    /** Null where it is not known before the download. */
    bytes: z.number().int().positive().nullable(),
    /** Null where nobody publishes it: then size and readability are all that is checked. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "64 hexadecimal digits in lower case, or null")
      .nullable(),
  })
  // Otherwise whoever sits between could put anything in its place, and native code would read it.
  .refine(({ url, sha256 }) => sha256 !== null || url.startsWith("https:"), {
    path: ["sha256"],
    error: "needed where the address does not begin with https://",
  });
export type ModelFile = z.infer<typeof file>;

const entry = z.object({
  /** The name of its folder; that of an unfinished download ends in `.download`. */
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]*$/, "only a–z, 0–9, . and -, and no . or - in front")
    .refine((id) => !id.endsWith(".download"), "it must not end in .download"),
  name: z.string(),
  kind: modelKind,
  /** ISO 639 codes. */
  languages: z.array(z.string()).min(1),
  licence: z.string(),
  /** What it is offered for before all others. */
  recommended: recommendedFor.optional(),
  /** Of English, as its maker published it: 0.1 is one word in ten. */
  wordErrorRate: z.number().gt(0).lt(1).optional(),
  /** How many a voice has; one, where it does not say. */
  speakers: z.number().int().positive().optional(),
  /** It tells by itself which of its languages is spoken: `auto`. */
  detectsLanguage: z.boolean().optional(),
  /** Where the model is described. */
  page: z.url(),
  /** Of the whole download. */
  bytes: z.number().int().positive().nullable(),
  /** A name that ends in `.zip` is an archive with one folder in it. */
  files: z.array(file).min(1),
});
export type CatalogueModel = z.infer<typeof entry>;

/** What a catalogue file holds. */
export const catalogueFile = z
  .array(entry)
  .refine((models) => new Set(models.map(({ id }) => id)).size === models.length, "each id only once");

/** All models of `resources/speech-models.json`, also those that nobody is shown yet. */
export const catalogue: readonly CatalogueModel[] = catalogueFile.parse(models);
