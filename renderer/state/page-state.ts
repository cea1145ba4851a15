import type { AttachmentChoice } from "../../shared/conversation/attachments.ts";
import type { UserError } from "../../shared/conversation/events.ts";
import type { ConversationView, TranscriptItem } from "../../shared/conversation/transcript.ts";
import type { ApprovalItem } from "../../shared/conversation/transcript-items.ts";
import type { IpcInput, IpcOutput, IpcResult, IpcRoute, ParleyBridge } from "../../shared/ipc/ipc.ts";
import type { IpcPush } from "../../shared/ipc/push.ts";
import type { AppInfo } from "../../shared/ipc/setting-routes.ts";
import type { ApprovalChoice } from "../../shared/safety/permissions.ts";
import { type VoiceView, voiceIn } from "../../shared/voice/voice-snapshot.ts";
import { call } from "./call.ts";
import { AnswerGuard } from "./conversation/answer-guard.ts";
import { ConversationFeed } from "./conversation/conversation-feed.ts";
import { Store } from "./store.ts";
import { Trust } from "./trust.ts";
import type { ShownView } from "./voice/shown-view.ts";

/** What the main and the quick window share: the conversation that is shown, and the answers that it waits for. */
export abstract class PageState {
  readonly info = new Store<AppInfo | null>(null);
  readonly view = new Store<ShownView | null>(null);
  /** The last action that failed, until it is dismissed or another one is tried. */
  readonly failure = new Store<UserError | null>(null);
  readonly trust: Trust;
  readonly guard = new AnswerGuard();
  protected readonly bridge: ParleyBridge;
  protected readonly feed: ConversationFeed;

  constructor(bridge: ParleyBridge) {
    this.bridge = bridge;
    const fail = (error: UserError) => this.failure.set(error);
    this.trust = new Trust((route, input) => this.ask(route, input), fail);
    this.feed = new ConversationFeed(bridge, (view) => this.onView(view), fail);
  }

  /** What `@` and these letters may mean; nothing where that cannot be had. */
  findAttachments = async (words: string): Promise<readonly AttachmentChoice[]> => {
    const conversationId = this.shownId();
    const result = await this.ask("attachment.find", { words, ...(conversationId && { conversationId }) });
    return result.ok ? result.value : [];
  };

  answerApproval = (
    approvalId: string,
    allowed: boolean,
    reason?: string,
    { scope = "once", outside = false }: ApprovalChoice = {},
  ): void => {
    const beside = { ...(reason && { reason }), ...(outside && { outside }) };
    this.onShown((conversationId) =>
      this.attempt("approval.answer", { conversationId, approvalId, allowed, scope, ...beside }),
    );
  };

  /** Answers the first approval that waits. One that has just come into its place is not answered: nobody has read it. */
  answerOldestApproval = (allowed: boolean): void => {
    const [waiting] = waitingApprovals(this.view.get()?.items ?? []);
    if (waiting && this.guard.takesKey(waiting.key)) this.answerApproval(waiting.key, allowed);
  };

  answerQuestion = (questionId: string, answer: string): void =>
    this.onShown((conversationId) => this.attempt("question.answer", { conversationId, questionId, answer }));

  sendAnyway = (droppedId: string): void => void this.attempt("voice.sendAnyway", { droppedId });

  /** Says Markdown aloud; blank text stops what is being said. */
  say = async (text: string, messageId?: string, heard?: string): Promise<void> => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId === undefined) return;
    await this.attempt("speech.say", {
      conversationId,
      text,
      ...(messageId === undefined ? {} : { messageId }),
      ...(heard === undefined ? {} : { heard }),
    });
  };

  /** Says what was not heard of a reply. */
  sayRest = (messageId: string, heard: string): void => {
    const reply = this.view.get()?.items.find((item) => item.key === messageId);
    if (reply?.kind === "assistant") void this.say(reply.text, messageId, heard);
  };

  openLink = (url: string): void => void this.attempt("link.open", { url });

  protected shownId = (): string | undefined => this.view.get()?.conversationId;

  /** For what is done with the conversation that is shown; without one nothing is. */
  protected onShown(act: (conversationId: string) => unknown): void {
    const conversationId = this.shownId();
    if (conversationId !== undefined) void act(conversationId);
  }

  /** A new picture of the conversation. */
  protected onView(view: ConversationView): void {
    this.view.set({ ...view, voice: this.voiceOf(view.conversationId) });
    this.trust.showFor(view.conversationId, view.workingFolder);
  }

  /** What this page knows of voice in a conversation: nothing, where it does not ask for it. */
  protected voiceOf(conversationId: string): VoiceView {
    return voiceIn(null, conversationId);
  }

  protected receive(push: IpcPush): void {
    if (push.type === "events") this.feed.receive(push.events);
    if (push.type === "trust") void this.trust.load();
    if (push.type === "app") void this.loadInfo();
  }

  protected async loadInfo(): Promise<void> {
    const info = await this.report("app.info", undefined);
    if (info) this.info.set(info);
  }

  /** For what shows its failures itself. */
  protected ask<R extends IpcRoute>(route: R, input: IpcInput<R>): Promise<IpcResult<IpcOutput[R]>> {
    return call(this.bridge, route, input);
  }

  /** For what the window asks by itself: it takes away nothing that the user has not read. @returns null where it failed */
  protected async report<R extends IpcRoute>(route: R, input: IpcInput<R>): Promise<IpcOutput[R] | null> {
    const result = await this.ask(route, input);
    if (result.ok) return result.value;
    this.failure.set(result.error);
    return null;
  }

  /** For what the user does. @returns null where it failed */
  protected attempt<R extends IpcRoute>(route: R, input: IpcInput<R>): Promise<IpcOutput[R] | null> {
    this.failure.set(null);
    return this.report(route, input);
  }
}

/** In the order of their calls. */
export const waitingApprovals = (items: readonly TranscriptItem[]): ApprovalItem[] =>
  items.filter((item) => item.kind === "approval").filter(({ status }) => status === "waiting");

/** Whether an item waits for the user's word: an approval, a question, a form. */
export const waitsForUser = (item: TranscriptItem): boolean =>
  (item.kind === "approval" || item.kind === "question") && item.status === "waiting";

/** Whether a yes to all that waits covers it: what no rewind brings back is looked at by itself. */
export const mayBeAllowedWithOthers = ({ runsOutside, changedToolFiles = [] }: ApprovalItem): boolean =>
  runsOutside !== true && changedToolFiles.length === 0;

/** The question that has waited longest and takes words; a form wants its fields. */
export const waitingQuestion = (items: readonly TranscriptItem[]) =>
  items.find((item) => item.kind === "question" && item.status === "waiting" && !item.form);
