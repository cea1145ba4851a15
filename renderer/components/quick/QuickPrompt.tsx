import { useEffect, useEffectEvent, useMemo, useRef } from "react";
import { quickMaxHeightPx } from "../../../shared/quick-size.ts";
import { writtenLanguage } from "../../state/conversation/written-language.ts";
import { latinKey } from "../../state/keys/latin-key.ts";
import { answerTo, type QuickState } from "../../state/quick-state.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { textBox } from "../composer/use-prompt-field.ts";
import { RowActionsContext } from "../sessions/row-actions.ts";
import { LinkContext } from "../transcript/markdown/link-context.ts";
import { ErrorCard } from "../transcript/messages/ErrorCard.tsx";
import { Announcer } from "../ui/Announcer.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useFocusReturn } from "../window/use-focus-return.ts";
import { QuickAnswer } from "./QuickAnswer.tsx";
import { QuickBox } from "./QuickBox.tsx";
import { QuickFoot } from "./QuickFoot.tsx";
import { QuickModels } from "./QuickModels.tsx";
import styles from "./QuickPrompt.module.css";
import { quickActions } from "./quick-actions.ts";

/** Other conversations are the main window's to tell. */
const nowhere: readonly never[] = [];

/** Enter asks, Ctrl/Cmd+Enter goes on in the main window, Esc drops what is being said or closes while the run goes on. */
export function QuickPrompt({ state }: { state: QuickState }) {
  const info = useStore(state.info);
  const asked = useStore(state.asked);
  const view = useStore(state.view);
  const failure = useStore(state.failure);
  const listening = useStore(state.listening);
  const voice = useStore(state.voice);
  const failed = voice?.now.state === "failed" ? voice.now : null;
  const trust = useStore(state.trust.request);
  const opening = useStore(state.opening);
  const isChoosingModel = useStore(state.isChoosingModel);
  const card = useRef<HTMLElement>(null);
  const news = useStore(state.newsSince);
  const since = news?.conversationId === view?.conversationId ? news?.at : undefined;
  const actions = useMemo(() => quickActions(state), [state]);
  useFocusReturn(textBox);

  // The window is as high as the card: the rest of a transparent window is black where nothing composes it.
  useEffect(() => {
    const element = card.current;
    if (!element) return;
    const fit = () => state.fit(element.getBoundingClientRect().height);
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    // Drawn larger or smaller it may have the same height in CSS pixels.
    window.addEventListener("resize", fit);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", fit);
    };
  }, [state]);

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return;
    // What the text box had a use for: Esc closes its list first.
    if (event.defaultPrevented) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const key = latinKey(event);
    if (event.key === "Escape" && state.listening.get()) void state.listen("drop");
    else if (event.key === "Escape") state.close();
    else if (isCommand && event.shiftKey && (key === "y" || key === "x"))
      state.answerOldestApproval(key === "y");
    else if (isCommand && event.shiftKey && key === "m")
      void state.listen(state.listening.get() ? "stop" : "start");
    else if (isCommand && !event.shiftKey && key === "n") void state.newPrompt();
    else if (isCommand && event.key === "Enter") state.openInWindow();
    else return;
    event.preventDefault();
  });
  // Of the whole window: nothing may have the keyboard.
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);

  // What is asked, listened to, or could not be heard here.
  const isShown = [asked, listening, failed].some(
    (one) => one != null && one.conversationId === view?.conversationId,
  );
  const answer = asked && view ? answerTo(asked, view) : null;
  const maxHeight = Math.min(quickMaxHeightPx, opening?.maxHeightPx ?? quickMaxHeightPx);
  return (
    <LinkContext value={state.openLink}>
      <main ref={card} className={styles.quickWindow} style={{ maxHeight }}>
        <h1 className="visually-hidden">{texts.quick.label}</h1>
        <QuickBox state={state} />
        <div className={styles.quickBody}>
          {failure && (
            <div role="alert">
              <ErrorCard error={failure} />
            </div>
          )}
          {asked && (
            <div className={styles.asked}>
              <p data-testid="asked" dir="auto" lang={writtenLanguage(asked.text)}>
                {asked.text}
              </p>
              <button
                type="button"
                className="btn icon ghost"
                aria-label={texts.quick.askAgain}
                title={texts.quick.askAgain}
                onClick={() => {
                  state.filledIn.emit(asked.text);
                  state.opened.emit();
                }}
              >
                <Icon name="pencil" />
              </button>
            </div>
          )}
          {asked && view?.conversationId === asked.conversationId && (
            <RowActionsContext value={actions}>
              <QuickAnswer
                items={answer}
                view={view}
                trust={state.trust}
                modelLabel={info?.modelLabel ?? texts.common.theModel}
                scrollWanted={state.scrollWanted}
              />
            </RowActionsContext>
          )}
        </div>
        {isChoosingModel && <QuickModels state={state} />}
        <QuickFoot state={state} />
        <Announcer
          view={isShown ? view : null}
          replies={info?.announceReplies ?? "sentences"}
          elsewhere={nowhere}
          trust={trust}
          since={since}
        />
      </main>
    </LinkContext>
  );
}
