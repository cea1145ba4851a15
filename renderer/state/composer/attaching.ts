import type { AttachmentChoice, OpenedAttachment } from "../../../shared/conversation/attachments.ts";
import type { UserError } from "../../../shared/conversation/events.ts";
import type { ScreenList } from "../../../shared/ipc/attachment-routes.ts";
import type { IpcInput, IpcOutput, IpcRoute } from "../../../shared/ipc/ipc.ts";
import { texts } from "../../texts/texts.ts";
import { preparedFile, preparedPaste } from "./prepared-file.ts";

export interface AttachingOptions {
  /** @returns null where it failed, which is shown */
  attempt<R extends IpcRoute>(route: R, input: IpcInput<R>): Promise<IpcOutput[R] | null>;
  fail(error: UserError): void;
}

/** Brings what the user pasted, dropped or picked to main, which keeps it. What cannot be attached is said in words. */
export class Attaching {
  readonly #options: AttachingOptions;

  constructor(options: AttachingOptions) {
    this.#options = options;
  }

  file = (file: File): Promise<AttachmentChoice | null> => this.#add(() => preparedFile(file));

  paste = (text: string): Promise<AttachmentChoice | null> => this.#add(() => preparedPaste(text));

  /** What is selected in another program. */
  selection = (text: string): Promise<AttachmentChoice | null> =>
    this.#add(() => ({ ...preparedPaste(text), name: texts.quick.selection }));

  /** What there is to take a picture of; null where that cannot be had. */
  screens = (): Promise<ScreenList | null> => this.#options.attempt("screen.list", undefined);

  screen = (id: string): Promise<AttachmentChoice | null> => this.#options.attempt("screen.attach", { id });

  open = (one: IpcInput<"attachment.open">): Promise<OpenedAttachment | null> =>
    this.#options.attempt("attachment.open", one);

  /** Says what is wrong with an attachment. */
  fail = (message: string): void => this.#options.fail({ code: "attachment", message });

  async #add(
    prepare: () => IpcInput<"attachment.add"> | Promise<IpcInput<"attachment.add">>,
  ): Promise<AttachmentChoice | null> {
    try {
      return await this.#options.attempt("attachment.add", await prepare());
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error));
      return null;
    }
  }
}
