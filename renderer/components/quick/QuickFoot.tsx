import type { ReactNode } from "react";
import { keyLabel } from "../../state/conversation/wording.ts";
import { answerTo, type QuickState } from "../../state/quick-state.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Icon } from "../ui/Icon.tsx";
import { QuickModelButton } from "./QuickModels.tsx";
import styles from "./QuickPrompt.module.css";

const t = texts.quick;
const { keys } = texts.common;

/** Who answers or what is heard, what can be done with the answer, and what the keys do. */
export function QuickFoot({ state }: { state: QuickState }) {
  const info = useStore(state.info);
  const asked = useStore(state.asked);
  const view = useStore(state.view);
  const listening = useStore(state.listening);
  const isBlank = useStore(state.isBlank);
  const earlier = useStore(state.earlier);
  const items = (asked && view && answerTo(asked, view)) ?? [];
  const isShown = asked !== null && view?.conversationId === asked.conversationId;
  const isRunning = isShown && (view.state === "processing" || view.state === "awaiting_input");
  const reply = isRunning || listening ? undefined : items.findLast((item) => item.kind === "assistant");
  const finished = reply?.kind === "assistant" ? reply : null;
  return (
    <footer className={styles.foot}>
      {listening ? (
        <span className={styles.model}>{listening.device ?? texts.voice.sources.microphone}</span>
      ) : (
        <QuickModelButton state={state} />
      )}
      {finished !== null && (
        <>
          <CopyButton text={finished.text} title={texts.transcript.copyReply} />
          <button
            type="button"
            className="btn small ghost"
            title={t.sayTitle}
            onClick={() => void state.say(finished.text, finished.key)}
          >
            <Icon name="speaker" size={14} />
            {t.say}
          </button>
        </>
      )}
      <span className="sp" />
      {listening ? (
        <>
          <span>{listening.isDictating ? t.dictates : t.sendsOnPause}</span>
          <Key name={keys.enter}>{t.keys.now}</Key>
          <Key name={keys.escape}>{t.keys.drop}</Key>
        </>
      ) : (
        <>
          {isBlank && !asked && earlier.length > 0 && <Key name={keys.up}>{t.keys.earlier}</Key>}
          {!isBlank && <Key name={keys.enter}>{t.keys.ask}</Key>}
          {asked && isBlank && (
            <Pressed
              name={keyLabel(info?.platform, "N")}
              title={t.newTitle}
              onPress={() => void state.newPrompt()}
            >
              {t.keys.fresh}
            </Pressed>
          )}
          <Pressed
            name={keyLabel(info?.platform, keys.enter)}
            title={t.openTitle}
            onPress={state.openInWindow}
          >
            {t.keys.window}
          </Pressed>
          <Pressed name={keys.escape} title={t.closeTitle} onPress={state.close}>
            {t.keys.close}
          </Pressed>
        </>
      )}
      {isRunning && (
        <button
          type="button"
          className="btn icon round"
          data-testid="stop"
          aria-label={texts.common.stop}
          title={t.stopTitle}
          onClick={state.stop}
        >
          <Icon name="stop" size={14} />
        </button>
      )}
    </footer>
  );
}

function Key({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span className={styles.key}>
      <kbd>{name}</kbd>
      {children}
    </span>
  );
}

interface PressedProps {
  name: string;
  title: string;
  onPress: () => void;
  children: ReactNode;
}

/** The same, to be pressed. */
function Pressed({ name, title, onPress, children }: PressedProps) {
  return (
    <button type="button" className={`${styles.key} ${styles.link}`} title={title} onClick={onPress}>
      <kbd>{name}</kbd>
      {children}
    </button>
  );
}
