import {
  type Attachment,
  type AttachmentChoice,
  attachedId,
} from "../../../../shared/conversation/attachments.ts";
import type { SessionStore } from "../../ports/session-store.ts";

/** What was attached to a prompt, for a draft again; its files are kept for it. @throws StoreError */
export function draftAttachedOf(
  attachments: readonly Attachment[] = [],
  store: Pick<SessionStore, "saveDraftFile">,
): AttachmentChoice[] {
  return attachments.flatMap((attachment) => {
    const { choice } = attachment;
    // Prompts of earlier versions do not say what they were.
    if (!choice) return [];
    const id = attachedId(choice.reference);
    if (id !== null) store.saveDraftFile(id, attachment);
    return [choice];
  });
}
