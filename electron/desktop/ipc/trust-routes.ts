import type { TrustRequest } from "../../../shared/safety/trust.ts";
import type { FolderTrust } from "../../trust/folder-trust.ts";
import type { IpcHandlers } from "./ipc.ts";

interface TrustRoutesOptions {
  trust: Pick<FolderTrust, "request" | "answer" | "trusted" | "forget">;
  /** The working folder of a conversation. */
  folderOf(conversationId: string): string;
  redact(text: string): string;
}

/** The card about what a folder brings, and its answer. */
export function trustRoutes({ trust, folderOf, redact }: TrustRoutesOptions) {
  const shown = ({ files, ...request }: TrustRequest): TrustRequest => ({
    ...request,
    // Somebody may have written a key into an address.
    files: files.map((file) => ({ ...file, words: file.words.map(redact) })),
  });
  return {
    "trust.request": async ({ conversationId }) => {
      const request = await trust.request(folderOf(conversationId));
      return { request: request && shown(request) };
    },
    "trust.answer": ({ conversationId, id, isTrusted }) =>
      trust.answer(folderOf(conversationId), id, isTrusted),
    "trust.list": () => ({ paths: trust.trusted() }),
    "trust.forget": ({ path }) => trust.forget(path),
  } satisfies Partial<IpcHandlers>;
}
