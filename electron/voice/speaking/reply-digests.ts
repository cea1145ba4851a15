import { type Message, textOf } from "../../../shared/conversation/messages.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { ShortenedReply } from "../../../shared/voice/voice-snapshot.ts";
import { leftOutLines, SpokenDigest } from "./spoken-digest.ts";

/** A reply that is said, or its beginning. */
interface Digested extends ShortenedReply {
  digest: SpokenDigest;
}

export interface ReplyDigestsOptions {
  settings(): Settings;
  /** Says sentences of a reply. `line`: they are about it, and no part of it. */
  add(conversationId: string, messageId: string, sentences: readonly string[], line?: "tells"): void;
  /** A reply was shortened. */
  onShortened(): void;
}

/** What is said of replies: of a long one the beginning, until somebody wants to hear the rest. */
export class ReplyDigests {
  readonly #options: ReplyDigestsOptions;
  /** Of replies that are streaming, by message. */
  readonly #streams = new Map<string, { conversationId: string; digest: SpokenDigest }>();
  /** The last one whose rest nobody wanted to hear so far. `isTold`: it was said that there is one. */
  #shortened: (Digested & { isTold: boolean }) | null = null;

  constructor(options: ReplyDigestsOptions) {
    this.#options = options;
  }

  /** The last reply of which only the beginning is said; null: none. */
  get shortened(): ShortenedReply | null {
    if (!this.#shortened) return null;
    const { conversationId, messageId } = this.#shortened;
    return { conversationId, messageId };
  }

  isStreaming(messageId: string): boolean {
    return this.#streams.has(messageId);
  }

  feed(conversationId: string, messageId: string, delta: string): void {
    const digest = this.#streams.get(messageId)?.digest ?? this.#newDigest(conversationId);
    this.#streams.set(messageId, { conversationId, digest });
    this.#say({ conversationId, messageId, digest }, () => digest.feed(delta));
  }

  /** A reply is there, whether it streamed or not. @param isSaid false: nothing more of it is said */
  end(conversationId: string, message: Message, isSaid: boolean): void {
    const streamed = this.#streams.get(message.id);
    this.#streams.delete(message.id);
    if (!isSaid) return;
    const digest = streamed?.digest ?? this.#newDigest(conversationId);
    const text = streamed ? "" : textOf(message.content);
    // What is said on the way has a rest that nobody needs to be told of.
    const isOnTheWay = message.content.some(({ type }) => type === "tool_use");
    this.#say(
      { conversationId, messageId: message.id, digest },
      () => [...digest.feed(text), ...digest.flush()],
      !isOnTheWay,
    );
  }

  /** What streamed of a reply is void. */
  drop(messageId: string): void {
    this.#streams.delete(messageId);
    this.forget(messageId);
  }

  /** The run of a conversation has ended: nothing streams there. */
  leave(conversationId: string): void {
    for (const [messageId, stream] of this.#streams) {
      if (stream.conversationId === conversationId) this.#streams.delete(messageId);
    }
  }

  /** Nobody needs to be told of a rest of this reply any more. */
  forget(messageId: string): void {
    if (this.#shortened?.messageId === messageId) this.#shortened = null;
  }

  /** Says a whole reply anew, or its beginning. */
  again(conversationId: string, reply: Message): void {
    this.forget(reply.id);
    const digest = this.#newDigest(conversationId);
    this.#say({ conversationId, messageId: reply.id, digest }, () => [
      ...digest.feed(textOf(reply.content)),
      ...digest.flush(),
    ]);
  }

  /** Says the rest of the shortened reply. @returns that one; null: there is none */
  sayRest(): ShortenedReply | null {
    const shortened = this.#shortened;
    if (!shortened) return null;
    const { conversationId, messageId, digest } = shortened;
    this.#shortened = null;
    this.#options.add(conversationId, messageId, digest.readAll());
    return { conversationId, messageId };
  }

  /** Nobody wants the rest in this conversation any more. @returns what was said of the reply; null: nothing is left of one */
  giveUpRest(conversationId: string): string | null {
    const shortened = this.#shortened;
    if (shortened?.conversationId !== conversationId) return null;
    this.#shortened = null;
    return shortened.digest.said;
  }

  /** Of the next reply. What was told to be on the screen can be heard until the run after this one. */
  #newDigest(conversationId: string): SpokenDigest {
    if (this.#shortened?.conversationId === conversationId && !this.#shortened.isTold) this.#shortened = null;
    return new SpokenDigest(this.#options.settings()["voice.spokenLength"] === "whole");
  }

  /** Says what is to be said of a reply now, and that there is more on the screen, once that is known. */
  #say({ conversationId, messageId, digest }: Digested, next: () => string[], tellsRest = true): void {
    const before = digest.leftOut;
    this.#options.add(conversationId, messageId, next());
    if (digest.leftOut === null || before !== null) return;
    this.#shortened = { conversationId, messageId, digest, isTold: tellsRest };
    if (tellsRest) this.#options.add(conversationId, messageId, [leftOutLines[digest.leftOut]], "tells");
    this.#options.onShortened();
  }
}
