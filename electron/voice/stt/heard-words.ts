import { asSpoken } from "../../../shared/voice/as-spoken.ts";
import { saidNames } from "./plain-text.ts";

interface Written {
  /** undefined: there are no words in it. */
  text?: string;
  /** What is wrong with it. Beside a text: that is most likely an error, unless the recogniser lists its words. */
  fault?: string;
}

/**
 * What a server wrote where the words of an utterance belong: words, without the names of sounds among them, or a program's
 * object. Pure.
 * @param text on one line
 */
export function writtenText(text: string): Written {
  const object = objectIn(text);
  if (object) {
    const { said, error } = object;
    if (said) return writtenText(said);
    if (error) return { fault: errorInstead(error) };
    return said === undefined ? { fault: "an object in place of words" } : { text: "" };
  }
  return isError(text) ? { text, fault: errorInstead(text) } : { text: withoutSounds(text) };
}

/** What is quoted of an error, in UTF-16 units. */
const maxQuotedChars = 160;
export const errorInstead = (error: string) =>
  `an error in place of words (“${error.length > maxQuotedChars ? `${error.slice(0, maxQuotedChars)}…` : error}”)`;

/** What programs write, and hardly anybody says. */
const errors = [
  /^Traceback \(most recent call last\)/,
  /^(?:\w+\.)*[A-Z]\w*(?:Error|Exception)\b\s*[:(]/,
  /^\[?(?:error|fatal)\]?(?: code)?\s*:\s/i,
  /^<[\w.]+ object at 0x[\da-f]+>$/i,
];

const isError = (text: string) => errors.some((form) => form.test(text));

/** The words and the error in an object that was written down: as JSON, or as Python writes a dictionary or an instance. */
function objectIn(text: string): { said?: string; error?: string } | null {
  const isObject = /^(?:\{\s*["'].*\}|\{\}|\[\s*\{.*\}\s*\])$/s.test(text);
  // “plot(x=1)” may be said.
  const isInstance = /^[A-Za-z_][\w.]*\(.*\)$/s.test(text) && instanceField.test(text);
  if (!isObject && !isInstance) return null;
  const value = (names: readonly string[]) => {
    const field = new RegExp(
      `(?:^|[{(,\\s])["']?(?:${names.join("|")})["']?\\s*[:=]\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|'((?:[^'\\\\]|\\\\.)*)')`,
    ).exec(text);
    const quoted = field?.[1] ?? field?.[2];
    return quoted === undefined ? undefined : unescaped(quoted).trim();
  };
  const [said, error] = [value(saidNames), value(errorNames)];
  return { ...(said !== undefined && { said }), ...(error !== undefined && { error }) };
}

const errorNames = ["error", "message", "detail", "reason"];
const instanceField = new RegExp(`[(,]\\s*(?:${[...saidNames, ...errorNames].join("|")})=`);

/** Control characters that were written as escapes are spaces. */
const unescaped = (quoted: string) =>
  quoted
    .replaceAll(/\\u([\da-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\[nrtbf]/g, " ")
    .replaceAll(/\\(.)/g, "$1");

/** Texts in brackets, and signs of music, as recognisers write down what is not speech. */
const marked =
  /\[[^[\]]*\]|\([^()]*\)|\*[^*]+\*|<[^<>]*>|【[^【】]*】|（[^（）]*）|［[^［］]*］|[♪♫♬🎵🎶]+/gu;

/** Stands for a sound that is left out: no text of a server has it. */
const gap = "\0";
/** Of a sentence, not of a name such as “.env”. */
const punctuation = /^[,.;:!?…–—-]+(?=\s|$)/;

/** Without the names of sounds. A text of nothing else stays as it is: whoever looks wants to know what was heard. */
function withoutSounds(text: string): string {
  const [begin = "", ...others] = text
    .replaceAll(marked, (mark) => (isSound(mark) ? gap : mark))
    .split(gap)
    .map((part) => part.trim());
  let said = begin;
  for (const part of others) {
    if (said === "") said = part.replace(punctuation, "").trim();
    else if (part !== "") said += punctuation.test(part) ? part : ` ${part}`;
  }
  return hasWords(said) ? said : text;
}

const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** Words, or beginnings of words, that name a sound, or say that nothing was understood: in English, and the commonest of other languages. */
const sounds =
  /^(?:music|musi[kc]|músic|musique|applau|laugh|chuckl|giggl|cough|sneez|sniff|snor(?:e|ing)|yawn|gasp|groan|grunt|breath|inhal|exhal|whistl|whisper|mumbl|murmur|scream|sobb|chatter|crosstalk|indistinct|inaudib|unintelligib|silen[ct]|beep|buzz|clack|footstep|noise|lachen|gelächter|räusper|hust(?:en|et)|rauschen|rires?$|toux$|bruits?$|ruido|risas?$|risos?$|risate$|aplausos|tos$|музык|смех|кашель|тишина|шум|аплодисмент|音楽|笑|拍手|掌声|静か|無音|咳|음악|웃음|박수|(?:sighs?|sighing|moans?|hums?|humming|singing|clap(?:s|ping)?|cheer(?:s|ing)|cry(?:ing)?|cries|cross|paused?|blank|unk|static|background|click(?:s|ing)?|tap(?:s|ping)?|typing|knock(?:s|ing)?|ring(?:s|ing)|wind|thud|bang|throat|foreign|speak(?:s|ing)|audio|speech|sounds?|spn|nsn|sil|bg|stille|silencio)$)/u;
/** More words than this describe no sound. */
const maxSoundWords = 4;

/** Whether what a recogniser put between brackets names a sound. */
function isSound(mark: string): boolean {
  if (/^[♪♫♬🎵🎶]+$/u.test(mark)) return true;
  // Tokens of the recogniser itself: <|nospeech|>, </s>.
  if (/^<(?:\|[^|]*\||\/?s|[be]os|pad|eps)>$/.test(mark)) return true;
  const words = asSpoken(mark.replaceAll("_", " ")).split(" ");
  return words[0] === "" || (words.length <= maxSoundWords && words.some((word) => sounds.test(word)));
}

/** A value of a program that stands for nothing, as it is written there: “None.” is a word. */
const nothing = /^["'<(]?(?:None|null|undefined|NaN)["'>)]?$/;

/**
 * Whether a text has no words in it: names of sounds, music that is sung, an error, or what a program writes for nothing. Pure.
 * @param words of the recogniser's own list, where it gives one: what stands there was said
 */
export function isWordless(text: string, words: readonly string[] = []): boolean {
  if (nothing.test(text) || isError(text)) return asSpoken(words.join(" ")) !== asSpoken(text);
  if (/^[♪♫♬🎵🎶].*[♪♫♬🎵🎶]$/u.test(text)) return true;
  // Square brackets and asterisks alone are a recogniser's; who speaks says none.
  if (/^(?:\[[^[\]]*\]|\*[^*]+\*|[\s,.…-])+$/u.test(text)) return hasWords(text);
  const rest = text.replaceAll(marked, (mark) => (isSound(mark) ? "" : mark));
  return rest !== text && !hasWords(rest);
}

/**
 * Whether the whole of an utterance is one of the phrases that Whisper is known to write for silence and noise: it learned them from
 * the ends of videos. Only what hardly anybody says to a computer; “thank you” and “bye” are words like any other. Pure.
 */
export const isWhisperPhantom = (text: string): boolean => {
  const said = asSpoken(text);
  return credits.test(text) || whisperPhantoms.some((phantom) => phantom.test(said));
};

/** Who made the subtitles, as it is written: “captions by default” is said. */
const credits =
  /^\W*(?:[Ss]ubtitles|(?:[Cc]losed )?[Cc]aption(?:s|ing)|[Ss]ubtitling|[Tt]ranscri(?:pt|ption|bed)|[Ss]ubs)(?: (?:were |are )?(?:provided|made|created|edited|done))? by (?:the )?(?:\p{Lu}|(?:https?:\/\/)?[\w-]+\.\w)\S*(?: \S+){0,5}$/u;

/** As they are spoken: no capitals, no punctuation. */
const whisperPhantoms = [
  /^(?:thank you|thanks)(?: (?:so|very) much)?(?: all| everyone| everybody| guys)? for watching(?: (?:this|my|the|our) videos?| everyone| guys)?(?: (?:and )?(?:i'll |i will |we'll )?see you (?:in the next (?:video|one)|next time|soon|later))?(?: bye)*$/,
  // “Subscribe” alone may be the word for a button.
  /^(?!subscribe$)(?:(?:thank you|thanks)(?: (?:so|very) much)? for watching )?(?:and )?(?:please )?(?:(?:don't|do not) forget to )?(?:like (?:and |comment and |share and )?)?subscribe(?: to (?:my|our|the|this) channel)?(?: (?:for more (?:videos|content)|if you (?:liked?|enjoyed) (?:this|the) video|thank you(?: for watching)?|thanks))?$/,
  /^(?:untertitel|untertitelung)(?: (?:im auftrag|der|des|von|aufgrund))(?: \S+){1,8}$/,
  /^sous titr(?:es|age)(?: \S+){1,8}$/,
  /^subtítulos (?:realizados |creados )?por(?: \S+){1,8}$/,
  /^legendas pela comunidade(?: \S+){0,4}$/,
  /^sottotitoli (?:creati dalla|e revisione a cura di|a cura di)(?: \S+){1,6}$/,
  /^субтитры (?:сделал|создавал|делал|подогнал|подготовил)\S*(?: \S+){1,4}$/u,
  /^vielen dank fürs zuschauen$/,
  /^merci d'avoir regardé(?: cette vidéo| la vidéo)?$/,
  /^(?:gracias por ver(?: el| este)? v[ií]deo|suscríbete al canal|obrigad[oa] por assistir|bedankt voor het kijken)$/,
  /^(?:ご視聴ありがとうございました|最後までご視聴いただきありがとうございます|チャンネル登録(?:を)?お願いします)$/,
  /^(?:字幕由 ?amara ?org ?社区提供|字幕 ?by ?\S+|请不吝点赞 ?订阅 ?转发 ?打赏支持明镜与点点栏目)$/,
  /^시청해 ?주셔서 감사합니다$/,
];
