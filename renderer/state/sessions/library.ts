import type { SessionSummary } from "../../../shared/conversation/sessions.ts";
import type { IpcInput, IpcOutput, IpcRoute } from "../../../shared/ipc/ipc.ts";
import type { IpcPush } from "../../../shared/ipc/push.ts";
import { texts } from "../../texts/texts.ts";
import { Store } from "../store.ts";
import { Search } from "./search.ts";
import { SessionList } from "./session-list.ts";

const t = texts.sessions;

/** Calls main; answers null where that failed, and has said so. */
export type Attempt = <R extends IpcRoute>(route: R, input: IpcInput<R>) => Promise<IpcOutput[R] | null>;

/** What was just done with a conversation, and the way back where there is one. */
export interface Notice {
  text: string;
  undo?: () => void;
}

/** The conversations that are kept: the lists, the search, and what can be done with a row. */
export class Library {
  readonly list: SessionList;
  readonly archive: SessionList;
  readonly search: Search;
  readonly notice = new Store<Notice | null>(null);
  /** Those with an answer that nobody has seen, by id. */
  readonly unread = new Store<ReadonlySet<string>>(new Set());
  readonly #attempt: Attempt;

  constructor(attempt: Attempt) {
    this.#attempt = attempt;
    const page = (query: Parameters<ConstructorParameters<typeof SessionList>[1]>[0]) =>
      attempt("conversation.list", { limit: 200, isArchived: false, ...query });
    this.list = new SessionList(false, page);
    this.archive = new SessionList(true, page);
    this.search = new Search((words, limit) => attempt("conversation.search", { words, limit }));
  }

  receive(push: IpcPush): void {
    if (push.type === "unread") this.unread.set(new Set(push.conversationIds));
    for (const list of [this.list, this.archive]) {
      if (push.type === "session") list.receive(push.summary);
      if (push.type === "session-gone") list.remove(push.conversationId);
    }
  }

  /** What is known of a conversation, archived or not. */
  find(conversationId: string): SessionSummary | undefined {
    const isIt = (session: SessionSummary) => session.conversationId === conversationId;
    return this.list.sessions.get().find(isIt) ?? this.archive.sessions.get().find(isIt);
  }

  rename = (conversationId: string, title: string): void => {
    const wanted = title.trim().slice(0, mostTitleChars);
    if (wanted !== "") void this.#attempt("conversation.change", { conversationId, title: wanted });
  };

  pin = ({ conversationId, isPinned }: SessionSummary): void => {
    void this.#attempt("conversation.change", { conversationId, isPinned: !isPinned });
  };

  /** @param group null or blank: none */
  moveTo = (conversationId: string, group: string | null): void => {
    const name = group?.trim().slice(0, mostGroupChars) || null;
    void this.#attempt("conversation.change", { conversationId, group: name });
  };

  setArchived = async ({ conversationId, title }: SessionSummary, isArchived: boolean): Promise<void> => {
    const change = (archived: boolean) =>
      this.#attempt("conversation.change", { conversationId, isArchived: archived });
    if ((await change(isArchived)) === null) return;
    const text = isArchived ? t.isArchived(title) : t.isUnarchived(title);
    this.#tell({ text, undo: () => void change(!isArchived) });
  };

  delete = async ({ conversationId, title }: SessionSummary): Promise<void> => {
    if ((await this.#attempt("conversation.delete", { conversationId })) === null) return;
    const undo = () => void this.#attempt("conversation.restore", { conversationId });
    this.#tell({ text: t.isDeleted(title), undo });
  };

  /** @param meeting only that one, by when it began */
  export = async (conversationId: string, format: "md" | "json" | "srt", meeting?: number): Promise<void> => {
    const answer = await this.#attempt("conversation.export", {
      conversationId,
      format,
      ...(meeting !== undefined && { meeting }),
    });
    if (answer?.path) this.#tell({ text: t.isExported(answer.path) });
  };

  dismiss = (): void => this.notice.set(null);

  #tell({ text, undo }: Notice): void {
    const notice: Notice = { text };
    if (undo) {
      notice.undo = () => {
        this.dismiss();
        undo();
      };
    }
    this.notice.set(notice);
  }
}

const mostTitleChars = 200;
const mostGroupChars = 100;
