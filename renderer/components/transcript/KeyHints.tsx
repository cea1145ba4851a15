import type { ReactNode } from "react";
import type { AppInfo } from "../../../shared/ipc/setting-routes.ts";
import { windowKeyLabel } from "../../state/keys/key-sheet.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./Starters.module.css";

const t = texts.transcript.welcome.keys;

/** The keys worth knowing first, of those that work here. */
export function KeyHints({ info }: { info: AppInfo | null }) {
  const voice = useStore(useWindowState().voicePanel.snapshot)?.settings;
  if (!info) return null;
  const { quickShortcut, platform } = info;
  return (
    <p className={styles.keys} data-testid="key-hints">
      {voice && voice["voice.pushToTalk"] !== "off" ? (
        <Hint keys={voice["voice.pushToTalkKey"]} before={t[voice["voice.pushToTalk"]]} after={t.toTalk} />
      ) : (
        <Hint keys={windowKeyLabel(platform, "voice")} after={t.voice} />
      )}
      {quickShortcut.key !== "" && quickShortcut.problem === null && (
        <Hint keys={quickShortcut.key} after={t.quick} />
      )}
      <Hint keys={windowKeyLabel(platform, "keys")} after={t.all} />
    </p>
  );
}

function Hint({ keys, before, after }: { keys: string; before?: ReactNode; after: string }) {
  return (
    <span>
      {before}
      {keys.split("+").map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
      {after}
    </span>
  );
}
