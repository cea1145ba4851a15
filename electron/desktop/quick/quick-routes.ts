import type { AttachedFiles } from "../ipc/attached-files.ts";
import type { IpcHandlers } from "../ipc/ipc.ts";
import type { screenPictures } from "../pictures/screen-pictures.ts";
import type { QuickWindow } from "../windows/quick-window.ts";
import type { QuickPrompts } from "./quick-prompts.ts";

export interface QuickRoutesOptions {
  window: Pick<QuickWindow, "hide" | "fit" | "without">;
  prompts: Pick<QuickPrompts, "begin" | "take" | "goOn" | "listen">;
  screens: Pick<typeof screenPictures, "takeDisplay">;
  attachedFiles: Pick<AttachedFiles, "add">;
  /** Binds the shortcut in the desktop's own settings. @returns what there is to know then */
  bindShortcut(): Promise<string>;
}

/** The calls of the quick prompt's window. */
export function quickRoutes(options: QuickRoutesOptions) {
  const { window, prompts, screens, attachedFiles, bindShortcut } = options;
  return {
    "quick.bindShortcut": async () => ({ said: await bindShortcut() }),
    "quick.close": () => window.hide("closed"),
    "quick.resize": ({ heightPx }) => window.fit(heightPx),
    "quick.new": () => prompts.begin(),
    "quick.take": () => ({ conversationId: prompts.take().id }),
    "quick.goOn": () => ({ conversationId: prompts.goOn() }),
    "quick.listen": async ({ move }) => ({ conversationId: await prompts.listen(move) }),
    "quick.picture": async () => {
      const picture = await window.without((displayId) => screens.takeDisplay(displayId));
      if (!picture) return { attached: null };
      const { name, png, thumbnail } = picture;
      return { attached: attachedFiles.add({ name, kind: "file", bytes: png, thumbnail }) };
    },
  } satisfies Partial<IpcHandlers>;
}
