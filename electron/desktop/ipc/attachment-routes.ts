import type { Attachment, OpenedAttachment } from "../../../shared/conversation/attachments.ts";
import { attachedId } from "../../../shared/conversation/attachments.ts";
import { attachmentsOf } from "../../agent/context/prompt-content.ts";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import type { SessionStore } from "../../agent/ports/session-store.ts";
import type { ScreenPicture, screenPictures } from "../pictures/screen-pictures.ts";
import type { AttachedFiles } from "./attached-files.ts";
import type { FileAttachments } from "./file-attachments.ts";
import type { IpcHandlers } from "./ipc.ts";

export interface AttachmentRoutesOptions {
  /** What `@` puts beside a prompt. */
  fileAttachments: Pick<FileAttachments, "find">;
  attachedFiles: Pick<AttachedFiles, "add" | "read">;
  screens: typeof screenPictures;
  store: Pick<SessionStore, "loadMessage">;
  find(conversationId: string): Conversation;
  /** Without a conversation: of the one that a prompt would go to. */
  folderOf(conversationId: string | undefined): string;
}

/** The calls about what stands beside a prompt. */
export function attachmentRoutes(options: AttachmentRoutesOptions) {
  const { fileAttachments, attachedFiles, screens, store, find, folderOf } = options;
  const attach = ({ name, png, thumbnail }: ScreenPicture) =>
    attachedFiles.add({ name, kind: "file", bytes: png, thumbnail });
  return {
    "attachment.find": ({ conversationId, words }) => fileAttachments.find(folderOf(conversationId), words),
    "attachment.add": (file) => attachedFiles.add(file),
    "attachment.open": (input) => {
      if ("reference" in input) {
        const id = attachedId(input.reference);
        if (id === null) throw new Error("Only attached files can be opened here.");
        return opened(attachedFiles.read(id));
      }
      const message = store.loadMessage(input.conversationId, input.messageId)?.message;
      const attachment = attachmentsOf(message?.content ?? [])[input.place];
      if (!attachment) throw new Error("This prompt has no such attachment.");
      return opened(attachment);
    },
    "screen.list": async () => {
      if (!screens.systemAsks()) return { kind: "choose", sources: await screens.list() } as const;
      const picture = await screens.take(null);
      return { kind: "taken", attached: picture && attach(picture) } as const;
    },
    "screen.attach": async ({ id }) => {
      const picture = await screens.take(id);
      if (!picture) throw new Error("That window is closed. Choose another one.");
      return attach(picture);
    },
    "input.takeBack": ({ conversationId, inputId }) => find(conversationId).takeBackInput(inputId),
  } satisfies Partial<IpcHandlers>;
}

function opened({ from, text, images = [], choice }: Attachment): OpenedAttachment {
  const [image] = images;
  const label = choice?.label ?? from;
  if (!image) return { label, text, image: null };
  return { label, text: "", image: `data:${image.source.media_type};base64,${image.source.data}` };
}
