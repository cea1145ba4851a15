import type { TranscriptItem } from "../../shared/conversation/transcript.ts";
import type { TrustRequest } from "../../shared/safety/trust.ts";
import { visibleText } from "../../shared/safety/visible-text.ts";
import type { Settings } from "../../shared/settings.ts";
import { saidAs } from "../../shared/voice/said/said-as.ts";
import { SpeechText } from "../../shared/voice/speech-text.ts";
import { isOn } from "../../shared/voice/voice-snapshot.ts";
import { texts } from "../texts/texts.ts";
import { withoutCodeMarks } from "./code-words.ts";
import { readDiff } from "./conversation/diff-lines.ts";
import { approvalQuestion } from "./conversation/wording.ts";
import { canTrust } from "./trust.ts";
import type { ShownView } from "./voice/shown-view.ts";

/** Plain text for a screen reader. */
export interface Announcement {
  text: string;
  /** It does not wait until what is being read has ended. */
  isUrgent: boolean;
}

export interface AnnouncedFacts {
  view: ShownView;
  replies: Settings["announceReplies"];
  /** Other conversations that wait for the user. */
  elsewhere: readonly { conversationId: string; title: string }[];
  /** What its folder brings waits for the user's word. */
  trust: TrustRequest | null;
  /** What is newer than this is news when its conversation is opened, too: it was asked for there. Milliseconds since the epoch. */
  since?: number | undefined;
}

interface Stream {
  /** As much of the reply as was read. */
  text: string;
  speech: SpeechText;
  /** Kept until it is whole. */
  sentences: string[];
}

/** Longest part of what asks that is told; the card has the rest. UTF-16 units. */
const maxDetailChars = 600;

/**
 * What is worth telling whoever does not see the window, out of one picture of a conversation after the other. What stood there
 * when it was opened is told only where it waits for the user; so is what an older page or another branch brings.
 */
export class Announcements {
  readonly #now: () => number;
  #conversationId: string | null = null;
  /** Milliseconds since the epoch: what is older is no news. */
  #openedAt = 0;
  #items: readonly TranscriptItem[] = [];
  readonly #told = new Set<string>();
  readonly #streams = new Map<string, Stream>();
  /** A run was told of, and its end was not yet. */
  #isRunning = false;
  /** Parley itself says the replies of the run aloud: nobody wants to hear them twice. */
  #isAloud = false;
  /** So many runs of the conversation were told of. */
  #runs = 0;
  /** How voice stood, in words; null before anything was told of it. */
  #voice: string | null = null;
  readonly #elsewhere = new Set<string>();
  /** Id of the request that was told of. */
  #trust: string | null = null;
  /** When the attempt that was told of failed; milliseconds since the epoch. */
  #retrySince: number | null = null;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @returns what is news since the last picture, in order */
  take(facts: AnnouncedFacts): Announcement[] {
    const { view } = facts;
    const isOther = view.conversationId !== this.#conversationId;
    if (isOther) this.#open(view, facts.since);
    const isOpened = isOther && facts.since === undefined;
    // When the run has ended nobody says it any more, and its last reply may come after that.
    if (isWorking(view) || isOther || (view.runs ?? 0) > this.#runs) this.#isAloud = false;
    this.#isAloud ||= view.voice.isAnsweredAloud ?? false;
    const news = [
      ...this.#turns(facts, isOpened),
      ...this.#voiceState(view, isOpened),
      ...this.#retry(view, isOpened),
      ...this.#trustWanted(facts),
      ...this.#waitsElsewhere(facts),
    ];
    this.#items = view.items;
    return news.filter(({ text }) => text.trim() !== "");
  }

  #open(view: ShownView, since: number | undefined): void {
    this.#conversationId = view.conversationId;
    this.#openedAt = since ?? this.#now();
    this.#items = [];
    this.#told.clear();
    this.#streams.clear();
    // What runs now was asked for where `since` is told, and is news there.
    const isNews = since !== undefined && isWorking(view);
    this.#isRunning = since === undefined && isWorking(view);
    this.#runs = (view.runs ?? 0) - (isNews ? 1 : 0);
  }

  /**
   * Its beginning, what came of it, and its end, in this order however many events one picture takes up: a run may begin and end
   * between two, or end and the next one begin.
   */
  #turns(facts: AnnouncedFacts, isOpened: boolean): Announcement[] {
    const { view } = facts;
    const runs = view.runs ?? 0;
    const isNew = runs > this.#runs;
    this.#runs = runs;
    const changed = this.#changed(view.items);
    const next = isNew && this.#isRunning ? changed.findLastIndex(({ kind }) => kind === "user") : 0;
    const [before, after] = next < 0 ? [changed, []] : [changed.slice(0, next), changed.slice(next)];
    const tell = (items: readonly TranscriptItem[]) =>
      items.flatMap((item) => this.#item(item, facts, isOpened));
    return [
      ...tell(before),
      ...(isNew
        ? [...this.#ended(view.items.slice(0, view.items.length - after.length)), this.#begun()]
        : []),
      ...tell(after),
      ...(isWorking(view) ? [] : this.#ended(view.items)),
    ];
  }

  #begun(): Announcement {
    this.#isRunning = true;
    return quiet(texts.announcer.working);
  }

  #ended(items: readonly TranscriptItem[]): Announcement[] {
    if (!this.#isRunning) return [];
    this.#isRunning = false;
    return items.at(-1)?.kind === "error" ? [] : [quiet(texts.announcer.finished)];
  }

  /** Items that do not change are the same objects. */
  #changed(items: readonly TranscriptItem[]): readonly TranscriptItem[] {
    const known = this.#items;
    let first = 0;
    while (first < items.length && items[first] === known[first]) first++;
    return items.slice(first);
  }

  #item(item: TranscriptItem, facts: AnnouncedFacts, isOpened: boolean): Announcement[] {
    if (item.kind === "tool" || this.#told.has(item.key)) return [];
    if (item.kind === "assistant") return this.#reply(item, facts, isOpened);
    if ((item.kind === "approval" || item.kind === "question") && item.status !== "waiting") return [];
    this.#told.add(item.key);
    const waits = item.kind === "approval" || item.kind === "question";
    return waits || (!isOpened && item.at >= this.#openedAt) ? announcementsOf(item) : [];
  }

  #reply(
    item: Extract<TranscriptItem, { kind: "assistant" }>,
    facts: AnnouncedFacts,
    isOpened: boolean,
  ): Announcement[] {
    const before = this.#streams.get(item.key);
    // A reply that is asked for again begins anew.
    const isKnown = before !== undefined && item.text.startsWith(before.text);
    const stream = isKnown ? before : { text: "", speech: new SpeechText(), sentences: [] };
    const written = stream.speech.feed(item.text.slice(stream.text.length));
    if (!item.streaming) written.push(...stream.speech.flush());
    const sentences = written.map(forReaders);
    stream.text = item.text;
    if (item.streaming) this.#streams.set(item.key, stream);
    else {
      this.#streams.delete(item.key);
      this.#told.add(item.key);
    }
    const isNews = !isOpened && (before !== undefined || item.at >= this.#openedAt);
    const isAloud = this.#isAloud || facts.view.voice.speech?.messageId === item.key;
    if (!isNews || facts.replies === "off" || isAloud) return [];
    if (facts.replies === "sentences") return sentences.map(quiet);
    stream.sentences.push(...sentences);
    return item.streaming ? [] : [quiet(stream.sentences.join(" "))];
  }

  /** Hearing and transcribing change with every sentence; saying so would talk over the user. */
  #voiceState({ voice: { now } }: ShownView, isOpened: boolean): Announcement[] {
    const isHeard = now.state === "hearing" || now.state === "transcribing";
    const label =
      isOn(now) && now.isMuted ? texts.voice.muted : texts.voice.states[isHeard ? "listening" : now.state];
    const detail = now.state === "off" ? null : now.detail;
    const said = detail ? texts.voice.saying(label, withoutCodeMarks(detail.message)) : label;
    const before = this.#voice ?? texts.voice.states.off;
    const isNews = said !== before && !isOpened;
    this.#voice = said;
    return isNews ? [{ text: said, isUrgent: now.state === "failed" }] : [];
  }

  /** Once an attempt: the countdown beside it is for who sees it. */
  #retry({ activity }: ShownView, isOpened: boolean): Announcement[] {
    if (activity?.kind !== "retry" || activity.since === this.#retrySince) return [];
    this.#retrySince = activity.since;
    const { reason, attempt, of } = activity;
    return isOpened ? [] : [quiet(texts.transcript.retrying(withoutCodeMarks(reason), attempt, of))];
  }

  #trustWanted({ trust }: AnnouncedFacts): Announcement[] {
    const isNews = trust !== null && trust.id !== this.#trust;
    this.#trust = trust?.id ?? null;
    if (!isNews) return [];
    const { question, unusual } = texts.approvals.trust;
    return [urgent(visibleText(`${canTrust(trust) ? question : unusual} ${trust.folder}`))];
  }

  #waitsElsewhere({ elsewhere }: AnnouncedFacts): Announcement[] {
    const waiting = new Set(elsewhere.map(({ conversationId }) => conversationId));
    const news = elsewhere.filter(({ conversationId }) => !this.#elsewhere.has(conversationId));
    this.#elsewhere.clear();
    for (const id of waiting) this.#elsewhere.add(id);
    return news.map(({ title }) => urgent(texts.announcer.waitsElsewhere(title)));
  }
}

function announcementsOf(item: Exclude<TranscriptItem, { kind: "assistant" | "tool" }>): Announcement[] {
  switch (item.kind) {
    case "approval": {
      const what = item.diff === undefined ? item.detail.slice(0, maxDetailChars) : changesIn(item.diff);
      const question = visibleText(`${approvalQuestion(item)} ${what}`);
      return [urgent(texts.approvals.neededFor(question))];
    }
    case "question":
      return [urgent(texts.announcer.asks([item.question, ...item.options.map(optionText)].join(" ")))];
    case "error": {
      const said = withoutCodeMarks([item.error.message, item.error.hint].filter(Boolean).join(" "));
      return [urgent(texts.announcer.failed(said))];
    }
    case "command":
      return [{ text: plain(item.output), isUrgent: item.isError }];
    case "note":
      return [quiet(plain(item.text))];
    case "user":
    case "said":
      return [];
  }
}

/** The lines themselves are in the card. */
const changesIn = (diff: string): string =>
  readDiff(diff)
    .map(({ path, added, removed }) => texts.announcer.changes(path, added, removed))
    .join(" ");

const optionText = ({ label }: { label: string }, index: number) => `${index + 1}: ${label}.`;

function plain(markdown: string): string {
  const text = new SpeechText();
  return [...text.feed(markdown), ...text.flush()].map(forReaders).join(" ");
}

/** A screen reader has its own words for signs, in its own language. */
const forReaders = (sentence: string): string => saidAs(sentence, "");

const isWorking = ({ state }: ShownView): boolean => state === "processing" || state === "awaiting_input";

const quiet = (text: string): Announcement => ({ text, isUrgent: false });
const urgent = (text: string): Announcement => ({ text, isUrgent: true });
