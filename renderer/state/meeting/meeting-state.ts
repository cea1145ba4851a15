import { lastMeeting, type Meeting, type MeetingLine } from "../../../shared/conversation/meeting.ts";
import type { IpcInput, IpcOutput, IpcRoute } from "../../../shared/ipc/ipc.ts";
import { Store } from "../store.ts";

/** Calls a route; null where that failed, which was said. */
type Report = <R extends IpcRoute>(route: R, input: IpcInput<R>) => Promise<IpcOutput[R] | null>;

/** The page of a conversation's meeting. */
export class MeetingState {
  /** The conversation whose meeting is shown in place of its transcript. */
  readonly shownFor = new Store<string | null>(null);
  /** Which of its meetings, by when it began; null: the last one, also of those to come. */
  readonly chosen = new Store<number | null>(null);
  /** In a narrow window the notes stand in place of the words. */
  readonly isNotesShown = new Store(false);
  readonly #report: Report;
  /** What had the focus before the page. */
  #before: Element | null = null;

  constructor(report: Report) {
    this.#report = report;
  }

  open = (conversationId: string, meeting: number | null = null): void => {
    this.chosen.set(meeting);
    if (this.shownFor.get() === conversationId) return;
    this.#before = document.activeElement;
    this.isNotesShown.set(false);
    this.shownFor.set(conversationId);
  };

  /** @returns whether it was open, and the element that the focus goes back to: null where that is gone */
  close = (): { wasOpen: boolean; focus: HTMLElement | null } => {
    const wasOpen = this.shownFor.get() !== null;
    const before = this.#before;
    this.#before = null;
    this.shownFor.set(null);
    this.chosen.set(null);
    const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
    return { wasOpen, focus: isThere ? before : null };
  };

  /** The meetings of a conversation, oldest first; null where that failed, which was said. */
  list = (conversationId: string): Promise<Meeting[] | null> =>
    this.#report("meeting.list", { conversationId });

  /** A note of the user's, a line of the meeting that goes on. @returns false where it was not kept, which was said */
  note = async (conversationId: string, text: string): Promise<boolean> =>
    (await this.#report("meeting.note", { conversationId, text })) !== null;

  /**
   * A meeting of a conversation, page by page from its end. @param range.before the next one began then; without it the last
   * @param onPage all that is known by then, oldest first @param isWanted asked after each page
   */
  load = async (
    conversationId: string,
    onPage: (lines: MeetingLine[]) => void,
    isWanted: () => boolean,
    range: { before?: number | undefined } = {},
  ): Promise<void> => {
    let lines: MeetingLine[] = [];
    for (;;) {
      const oldest = lines[0]?.at;
      // Several may have begun in the same millisecond, and some of them be on the next page.
      const same = lines.filter(({ at }) => at === oldest).map(({ id }) => id);
      const page = await this.#report("meeting.lines", {
        conversationId,
        ...(oldest === undefined ? range : { before: oldest + 1 }),
        known: same.length,
      });
      if (!page || !isWanted()) return;
      const known = new Set(same);
      const more = page.filter(({ id }) => !known.has(id));
      const all = [...more, ...lines];
      lines = lastMeeting(all);
      onPage(lines);
      if (more.length === 0 || lines.length < all.length) return;
    }
  };
}
