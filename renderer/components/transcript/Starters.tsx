import { type ComponentProps, useEffect, useState } from "react";
import type { AppInfo } from "../../../shared/ipc/setting-routes.ts";
import { useStore } from "../../state/store.ts";
import type { ShownView } from "../../state/voice/shown-view.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { SpeechOfferLine } from "../voice/SpeechOfferList.tsx";
import { useWindowState } from "../window/window-context.ts";
import { KeyHints } from "./KeyHints.tsx";
import styles from "./Starters.module.css";
import { WorkIn } from "./WorkIn.tsx";

const t = texts.transcript.welcome;

interface Starter {
  key: string;
  icon: ComponentProps<typeof Icon>["name"];
  text: string;
  why: string;
  start: () => void;
}

/** At most so many are offered. */
const most = 3;

/** What can be begun with in a new conversation: by what is there, each with its reason. */
export function Starters({ view, info }: { view: ShownView; info: AppInfo | null }) {
  const windowState = useWindowState();
  const { servers } = useStore(windowState.servers.view);
  const model = useStore(windowState.models.state);
  const voice = useStore(windowState.voicePanel.snapshot);
  const hasHistory = useHasHistory(view);
  const folder = view.workingFolder?.split(/[\\/]/).at(-1) ?? "";
  const ask = (text: string) => () => void windowState.submit(text);
  const server = servers.find(({ state }) => state === "ready");
  const isWithout = model === null ? info?.provider === "offline" : model.modelId === null;
  const starters: Starter[] = [
    ...(isWithout
      ? [
          {
            key: "key",
            icon: "key",
            text: t.addKey,
            why: t.addKeyWhy,
            start: windowState.setUp.open,
          } as const,
        ]
      : []),
    ...(hasHistory && !isWithout
      ? [
          {
            key: "history",
            icon: "branch",
            text: t.changed(folder),
            why: t.changedWhy,
            start: ask(t.changed(folder)),
          } as const,
        ]
      : []),
    ...(server && !isWithout
      ? [
          {
            key: "server",
            icon: "plug",
            text: t.server(server.name),
            why: t.serverWhy(server.name),
            start: ask(t.server(server.name)),
          } as const,
        ]
      : []),
    {
      key: "meeting",
      icon: "users",
      text: t.meeting,
      why: t.meetingWhy,
      start: () => void windowState.startVoice("both"),
    },
    { key: "files", icon: "folder", text: t.files(folder), why: t.filesWhy, start: ask(t.filesPrompt) },
  ];
  return (
    <div className={styles.area}>
      <ul className={styles.starts} aria-label={t.examples}>
        {starters.slice(0, most).map(({ key, icon, text, why, start }) => (
          <li key={key}>
            <button type="button" data-testid="starter" data-starter={key} onClick={start}>
              <Icon name={icon} size={20} />
              <span>{text}</span>
              <small>{why}</small>
            </button>
          </li>
        ))}
      </ul>
      <WorkIn path={view.workingFolder} home={info?.homeFolder ?? ""} />
      {voice?.now.state === "off" && voice.offers.recogniser && (
        <div className={styles.offer}>
          <SpeechOfferLine kind="recogniser" offer={voice.offers.recogniser} />
        </div>
      )}
      <KeyHints info={info} />
    </div>
  );
}

/** Whether the folder has a Git history; false until that is known. */
function useHasHistory({ conversationId, workingFolder }: ShownView): boolean {
  const { folders } = useWindowState();
  const [has, setHas] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another folder is the occasion, main knows which it is
  useEffect(() => {
    let isLeft = false;
    void folders.facts(conversationId).then((facts) => {
      if (!isLeft) setHas(facts?.hasHistory ?? false);
    });
    return () => {
      isLeft = true;
    };
  }, [folders, conversationId, workingFolder]);
  return has;
}
