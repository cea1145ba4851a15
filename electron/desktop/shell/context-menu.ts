import {
  app,
  clipboard,
  dialog,
  Menu,
  type MenuItemConstructorOptions,
  session,
  type WebContents,
  webContents,
} from "electron";
import { contextItems, type MenuWish } from "./context-items.ts";

export interface ContextMenuOptions {
  isSpellingChecked(): boolean;
  /** The user agreed to the dictionaries, or has enough of them. */
  checkSpelling(isWanted: boolean): void;
}

/** What the next menu of a page can have read aloud: the page tells before its menu comes. */
const readings = new WeakMap<WebContents, () => void>();

/** @param read null: nothing at the place of the click can be read */
export function offerReading(contents: WebContents, read: (() => void) | null): void {
  if (read) readings.set(contents, read);
  else readings.delete(contents);
}

/** What a right-click offers in every page of ours: text, links, images and spelling. */
export function setUpContextMenus({ isSpellingChecked, checkSpelling }: ContextMenuOptions): void {
  const setUp = (contents: WebContents) =>
    contents.on("context-menu", (_click, params) => {
      const read = readings.get(contents);
      readings.delete(contents);
      const does = (wish: MenuWish) => {
        switch (wish.kind) {
          case "replace":
            return contents.replaceMisspelling(wish.word);
          case "learn":
            return void contents.session.addWordToSpellCheckerDictionary(wish.word);
          case "copyText":
            return clipboard.writeText(wish.text);
          case "copyImage":
            return contents.copyImageAt(params.x, params.y);
          case "saveImage":
            return contents.downloadURL(wish.url);
          case "readFromHere":
            return read?.();
          case "spelling":
            return wish.isWanted ? void askForDictionaries(contents, checkSpelling) : checkSpelling(false);
        }
      };
      const items = contextItems(params, isSpellingChecked(), read !== undefined);
      if (items.length === 0) return;
      Menu.buildFromTemplate(
        items.map(
          (item): MenuItemConstructorOptions =>
            "wish" in item ? { label: item.label, click: () => does(item.wish) } : item,
        ),
      ).popup();
    });
  // The first window is there before the settings are.
  webContents.getAllWebContents().forEach(setUp);
  app.on("web-contents-created", (_event, contents) => setUp(contents));
}

/** Chromium fetches its dictionaries from Google: not before somebody said so. macOS has its own. */
async function askForDictionaries(
  contents: WebContents,
  checkSpelling: (isWanted: boolean) => void,
): Promise<void> {
  if (process.platform === "darwin") return checkSpelling(true);
  const { response } = await dialog.showMessageBox({
    type: "question",
    message: "Download dictionaries to check spelling?",
    detail: `For ${languagesOf(contents.session).join(", ")}: under 1 MB each, from Google's server redirector.gvt1.com. What you type stays on this computer.`,
    buttons: ["Download", "Cancel"],
    defaultId: 0,
    cancelId: 1,
  });
  if (response === 0) checkSpelling(true);
}

/** Where Chromium has its dictionaries from. */
const dictionaries = "https://redirector.gvt1.com/edgedl/chrome/dict/";
/** Answers nothing. */
const noDictionaries = "app://no-dictionaries/";

/**
 * Switches spelling. Call it as the first thing of the start: whatever else is set, Chromium fetches the dictionary of the
 * system's language as soon as its file is not there, and only another address keeps it from that.
 */
export function applySpelling(isWanted: boolean): void {
  const target = session.defaultSession;
  target.setSpellCheckerDictionaryDownloadURL(isWanted ? dictionaries : noDictionaries);
  // On macOS the system knows its languages. A list that does not change would fetch nothing.
  if (process.platform !== "darwin") target.setSpellCheckerLanguages(isWanted ? languagesOf(target) : []);
  target.setSpellCheckerEnabled(isWanted);
}

/** The user's languages that there are dictionaries for; English where there are none. */
function languagesOf({ availableSpellCheckerLanguages: known }: Electron.Session): string[] {
  const found = app
    .getPreferredSystemLanguages()
    .map(
      (language) =>
        known.find((one) => one === language) ?? known.find((one) => one === language.split("-")[0]),
    )
    .filter((one) => one !== undefined);
  return found.length > 0 ? [...new Set(found)] : ["en-US"];
}
