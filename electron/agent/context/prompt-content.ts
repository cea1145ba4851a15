import type { Attachment } from "../../../shared/conversation/attachments.ts";
import { asOutsideData, withoutMarks } from "../../../shared/conversation/data-marks.ts";
import type { QueuedInput } from "../../../shared/conversation/events.ts";
import { meetingGapMs } from "../../../shared/conversation/meeting.ts";
import {
  type ContentBlock,
  type DoubtfulWord,
  type Message,
  maxReadings,
  type PromptOrigin,
  type Repair,
  type SaidLine,
  type SpeechSource,
} from "../../../shared/conversation/messages.ts";
import { localDay, localTime } from "../../../shared/local-time.ts";
import { overheardTag, spokenTag } from "../ports/ports.ts";

/** What of a prompt its message keeps. */
export interface PromptInput {
  text: string;
  heard?: readonly DoubtfulWord[] | undefined;
  readings?: readonly string[] | undefined;
  repair?: Repair | undefined;
  meeting?: readonly SaidLine[] | undefined;
  /** How many older lines of the meeting did not fit. */
  meetingLeft?: number | undefined;
  /** The meeting that it asks about, by when that began: its lines go, and no others. */
  about?: number | undefined;
  /** The words go on with the prompt before them. */
  continues?: boolean | undefined;
  /** The reply to it is spoken, of a long one only the beginning. */
  isReadAloud?: boolean | undefined;
  attachments?: readonly Attachment[] | undefined;
}

/** A prompt as its message keeps it: what was said before it, what is attached to it, then its words. */
export function contentOf(words: PromptInput): ContentBlock[] {
  const { text, heard = [], readings = [], repair, meeting = [], meetingLeft, attachments = [] } = words;
  const left = meetingLeft !== undefined && { meetingLeft };
  return [
    ...(meeting.length > 0 ? [{ type: "text" as const, text: "", meeting: [...meeting], ...left }] : []),
    ...(attachments.length > 0 ? [{ type: "text" as const, text: "", attachments: [...attachments] }] : []),
    {
      type: "text",
      text,
      ...(heard.length > 0 && { heard: [...heard] }),
      ...(readings.length > 0 && { readings: [...readings] }),
      ...(repair && { repair }),
      ...(words.continues && { continues: words.continues }),
      ...(words.isReadAloud && { isReadAloud: words.isReadAloud }),
    },
  ];
}

/** A prompt as it waits for its run. */
export function queuedOf(
  {
    text,
    origin,
    source,
    heard,
    readings,
    repair,
    meeting,
    meetingLeft,
    attachments,
  }: PromptInput & { origin: PromptOrigin; source: SpeechSource | null },
  inputId: string,
): QueuedInput {
  return {
    inputId,
    text,
    origin,
    source,
    ...(heard && heard.length > 0 && { heard: [...heard] }),
    ...(readings && readings.length > 0 && { readings: [...readings] }),
    ...(repair && { repair }),
    ...(meeting && meeting.length > 0 && { meeting: [...meeting], ...(meetingLeft && { meetingLeft }) }),
    ...(attachments && attachments.length > 0 && { attachments: [...attachments] }),
  };
}

/** What was heard of a prompt: its text, and what else all of it may be. */
export const readingsOf = ({ text, readings = [] }: Pick<PromptInput, "text" | "readings">) => ({
  text,
  readings,
});

/** The same of a prompt that was answered; null: it was not spoken by the user. */
export function heardIn({ origin, source, content }: Message): ReturnType<typeof readingsOf> | null {
  const words = content.findLast((block) => block.type === "text" && block.text !== "");
  if (origin !== "voice" || source === "loopback" || words?.type !== "text") return null;
  return readingsOf(words);
}

/** What else a prompt and the words that go on with it may be as a whole: each guess with the other's own text. */
export function joinedReadings(
  before: Pick<PromptInput, "text" | "readings">,
  more: Pick<PromptInput, "text" | "readings">,
): string[] {
  const joined = [
    ...(before.readings ?? []).map((reading) => `${reading} ${more.text}`),
    ...(more.readings ?? []).map((reading) => `${before.text} ${reading}`),
  ];
  return joined.slice(0, maxReadings);
}

/** What was said in a meeting before a prompt. */
export function meetingIn(content: readonly ContentBlock[]): Pick<PromptInput, "meeting" | "meetingLeft"> {
  const block = content.find((one) => one.type === "text" && one.meeting !== undefined);
  return block?.type === "text" ? { meeting: block.meeting, meetingLeft: block.meetingLeft } : {};
}

/** What is attached to a prompt. */
export const attachmentsOf = (content: readonly ContentBlock[]): Attachment[] =>
  content.flatMap((block) => (block.type === "text" ? (block.attachments ?? []) : []));

/** What is attached to a prompt, each as data of its own; images are named. What the user pasted is the user's word. */
export const attachmentsText = (attachments: readonly Attachment[]): string =>
  attachments
    .map(({ from, text, choice }) =>
      choice?.file?.kind === "pasted" ? withoutMarks(text) : asOutsideData(text, from),
    )
    .join("\n\n");

/** The same with the images, each right behind what says where it is from. */
export function attachmentBlocks(attachments: readonly Attachment[]): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  let named: Attachment[] = [];
  for (const one of attachments) {
    named.push(one);
    if (!one.images || one.images.length === 0) continue;
    blocks.push({ type: "text", text: attachmentsText(named) }, ...one.images);
    named = [];
  }
  return named.length === 0 ? blocks : [...blocks, { type: "text", text: attachmentsText(named) }];
}

/**
 * Whose words a prompt carries, for what may run from it: a meeting's other side is heard as `loopback`, whoever asks
 * about it.
 */
export const sourceOfPrompt = ({
  source,
  meeting = [],
}: PromptInput & { source: SpeechSource | null }): SpeechSource | null =>
  meeting.some(({ who }) => who === "them") ? "loopback" : source;

/** How to answer somebody who listens. */
const readAloud =
  " The reply will be read aloud: begin with one or two sentences that stand alone. What is longer comes after them and is only shown.";

/**
 * Parley's note that a prompt was spoken, which of its words may be others, and what else all of it may be.
 * @param isReadAloud the reply is spoken, of a long one only the beginning
 */
export function spokenNote(
  heard: readonly DoubtfulWord[],
  readings: readonly string[] = [],
  isReadAloud = false,
): string {
  const doubts = heard.map(({ word, confidence, alternatives }) => {
    const others = alternatives.length > 0 ? `; perhaps ${alternatives.map(quoted).join(" or ")}` : "";
    return `${quoted(word)} (${Math.round(confidence * 100)} % sure${others})`;
  });
  const unsure = doubts.length > 0 ? ` The recogniser was unsure of: ${doubts.join(", ")}.` : "";
  const whole =
    readings.length > 0
      ? ` Other guesses at the same words, likeliest first: ${readings.map(quoted).join("; ")}.`
      : "";
  return `<${spokenTag}>The text after this was spoken and transcribed.${unsure}${whole}${isReadAloud ? readAloud : ""}</${spokenTag}>`;
}

/** What the computer played, as data: the guesses at it are as foreign as the words. */
export function overheardText(text: string, readings: readonly string[] = []): string {
  const guesses = readings.map((reading) => `(or perhaps: ${quoted(reading)})`);
  return `<${overheardTag}>\n${[withoutMarks(text), ...guesses].join("\n")}\n</${overheardTag}>`;
}

/** What was said in a meeting, a line an utterance with its time of day, as data. @param left lines that did not fit */
export function meetingText(lines: readonly SaidLine[], left = 0): string {
  const isFirst = lines.map(({ at }, place) => isFirstOfMeeting(at, lines[place - 1]?.at));
  const isOne = isFirst.lastIndexOf(true) <= 0;
  const said = lines.flatMap(({ who, text, at }, place) => {
    const time = at === undefined ? "" : `[${localTime(at)}] `;
    const line = `${who}: ${time}${withoutMarks(text.replaceAll(/\s+/g, " "))}`;
    return isOne || at === undefined || !isFirst[place] ? [line] : [`(${localDay(at)})`, line];
  });
  const cut = left > 0 ? `${left} older lines of the meeting are not here.\n` : "";
  return `${cut}<${overheardTag}>\n${said.join("\n")}\n</${overheardTag}>`;
}

/** Of a meeting, or of a day of one. @param before when the line before it was said */
const isFirstOfMeeting = (at: number | undefined, before: number | undefined) =>
  at !== undefined &&
  (before === undefined || at - before > meetingGapMs || localDay(at) !== localDay(before));

/** In quotes that it cannot close, on one line. */
const quoted = (words: string) => `“${withoutMarks(words.replaceAll(/\s+/g, " ").replaceAll(/[“”]/g, "'"))}”`;
