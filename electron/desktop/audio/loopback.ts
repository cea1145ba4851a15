import { app, desktopCapturer, type Session, type WebFrameMain } from "electron";
import { isAudioPage } from "./audio-page.ts";

/**
 * Chromium's own ways to the sound of macOS, which it does not use unasked: from macOS 13 with the share of a screen. From
 * 14.2 on it takes an audio tap (Electron 39 and newer), for which `NSAudioCaptureUsageDescription` is in the package.
 */
const macFeatures = ["MacLoopbackAudioForScreenShare", "MacSckSystemAudioLoopbackOverride"];

/** Before the app is ready. */
export function enableLoopback(platform: NodeJS.Platform = process.platform): void {
  if (platform !== "darwin") return;
  const given = app.commandLine.getSwitchValue("enable-features");
  app.commandLine.appendSwitch("enable-features", [given, ...macFeatures].filter(Boolean).join(","));
}

/**
 * Answers the audio page's wish to hear what the computer plays: the first screen, since a share has to have a picture,
 * and its sound. Nobody else gets either.
 */
export function grantLoopback(target: Session): void {
  target.setDisplayMediaRequestHandler((request, answer) => {
    // A picture alone is nothing that it needs.
    const frame = request.audioRequested ? request.frame : null;
    void answerTo(frame).then(answer, (error: unknown) => {
      console.error("No screen to share:", error);
      answer({});
    });
  });
}

async function answerTo(frame: WebFrameMain | null): Promise<Electron.Streams> {
  if (!frame || !isAudioPage(frame.url)) return {};
  const [screen] = await desktopCapturer.getSources({
    types: ["screen"],
    // No picture of it is wanted.
    thumbnailSize: { width: 0, height: 0 },
  });
  return screen ? { video: screen, audio: "loopback" } : {};
}
