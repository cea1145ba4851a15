import { app, type Session, session, shell } from "electron";
import { isAudioPage } from "../audio/audio-page.ts";
import { grantLoopback } from "../audio/loopback.ts";
import { appOrigin } from "./app-protocol.ts";

const openableSchemes = new Set(["https:", "http:", "mailto:"]);

/** Opens a link in the user's browser. @throws Error for any scheme but http(s) and mailto */
export async function openLink(url: string): Promise<void> {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !openableSchemes.has(parsed.protocol)) {
    throw new Error(`Parley opens only web and mail links, not “${url.slice(0, 200)}”.`);
  }
  await shell.openExternal(parsed.href);
}

/** No page navigates away, opens a window, embeds a webview or gets a permission but the audio page's microphone and sound. */
export function lockDown(): void {
  app.on("web-contents-created", (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: "deny" }));
    contents.on("will-navigate", (event) => event.preventDefault());
    contents.on("will-frame-navigate", (event) => event.preventDefault());
    contents.on("will-attach-webview", (event) => event.preventDefault());
  });
  limitPermissions(session.defaultSession);
  // One that something makes later is no way around.
  app.on("session-created", limitPermissions);
  grantLoopback(session.defaultSession);
}

function limitPermissions(target: Session): void {
  target.setPermissionRequestHandler((contents, permission, allow, details) => {
    const audioOnly = !("mediaTypes" in details) || !details.mediaTypes?.includes("video");
    const isWanted = (permission === "media" && audioOnly) || permission === "display-capture";
    allow(isWanted && isAudioPage(contents.getURL()));
  });
  target.setPermissionCheckHandler((contents, permission, origin) => {
    if (permission === "media") return isAudioPage(contents?.getURL() ?? "");
    // Writing text to the clipboard is what the copy buttons do.
    return permission === "clipboard-sanitized-write" && isOurs(origin);
  });
}

const isOurs = (origin: string) => origin === appOrigin || origin === `${appOrigin}/`;
