import {
  isOn,
  silenceOf,
  type VoiceSnapshot,
  type VoiceTestResult,
} from "../../../../shared/voice/voice-snapshot.ts";
import { decibels } from "../../../state/conversation/wording.ts";
import { useStore } from "../../../state/store.ts";
import type { ShownView } from "../../../state/voice/shown-view.ts";
import { texts } from "../../../texts/texts.ts";
import { SpokenText } from "../../transcript/messages/SpokenText.tsx";
import { CodeWords } from "../../ui/CodeWords.tsx";
import { useWindowState } from "../../window/window-context.ts";
import { LevelBars } from "../LevelBars.tsx";
import { Choice } from "./fields.tsx";
import { useMicrophones } from "./use-choices.ts";
import styles from "./VoicePanel.module.css";

const t = texts.voicePanel.now;

const sources = [
  ["microphone", texts.voice.sources.microphone],
  ["loopback", texts.voice.sources.loopback],
  ["both", t.meeting],
] as const;

/** What is heard at this moment, from where, and what can be done about it. */
export function VoiceNow({ panel, view }: { panel: VoiceSnapshot; view: ShownView | null }) {
  const windowState = useWindowState();
  const { voicePanel } = windowState;
  const { now } = panel;
  const heard = isOn(now) ? now : null;
  const isTesting = !isOn(now) && now.isTesting;
  const isMuted = heard?.isMuted ?? false;
  const silence = silenceOf(now);
  const partial = heard?.conversationId === view?.conversationId ? heard?.partial : null;
  const source = panel.settings["voice.source"];
  return (
    <section className={styles.now}>
      <div className={styles.meter}>
        <LevelBars level={voicePanel.level} />
        <div className={styles.words}>
          {partial ? (
            <SpokenText partial={partial} testId="panel-partial" />
          ) : (
            <p className={styles.quiet} data-testid="panel-quiet">
              <CodeWords text={silence ? silence.message : heard ? (heard.device ?? t.noWords) : t.off} />
            </p>
          )}
          {silence && (
            <p className="hint">
              <CodeWords text={silence.hint ?? ""} />
            </p>
          )}
        </div>
      </div>
      <div className={styles.buttons}>
        <button
          type="button"
          className={heard ? "btn small" : "btn small primary"}
          onClick={() => void (heard ? windowState.stopVoice() : windowState.startVoice(source))}
        >
          {heard ? texts.common.stop : t.listen}
        </button>
        <button
          type="button"
          className="btn small"
          aria-pressed={isMuted}
          disabled={!heard}
          title={t.muteTitle}
          onClick={() => voicePanel.mute(!isMuted)}
        >
          {isMuted ? texts.voice.unmute : texts.voice.mute}
        </button>
        <button
          type="button"
          className="btn small"
          disabled={heard !== null || isTesting}
          title={heard ? t.testBlockedTitle : t.testTitle}
          onClick={() => void voicePanel.test()}
        >
          {isTesting ? t.testing : t.test}
        </button>
        <button
          type="button"
          className="btn small"
          disabled={heard !== null}
          title={t.fileTitle}
          onClick={voicePanel.listenToFile}
        >
          {t.file}
        </button>
        {heard?.source === "both" && (
          <button
            type="button"
            className="btn small primary"
            title={t.askTitle}
            onClick={() => voicePanel.askMeeting("ask")}
          >
            {texts.voice.askNow}
          </button>
        )}
        {heard?.source === "both" && heard.conversationId === view?.conversationId && (
          <button
            type="button"
            className="btn small"
            title={texts.meeting.openTitle}
            onClick={() => windowState.meeting.open(heard.conversationId)}
          >
            {texts.meeting.open}
          </button>
        )}
      </div>
      {heard === null && <TestResult />}
      <Choice
        label={texts.voice.listenTo}
        value={source}
        options={sources}
        onChange={(next) => {
          void voicePanel.set("voice.source", next);
          if (heard) void windowState.startVoice(next);
        }}
      />
      <Microphones />
    </section>
  );
}

/** Those of the speech server in use. */
function Microphones() {
  const { voicePanel } = useWindowState();
  const warning = useStore(voicePanel.devices)?.warning;
  const { server, chosen, choices } = useMicrophones();
  return (
    <Choice
      label={t.microphone}
      testId="microphones"
      hint={server === null ? t.microphoneHint : (warning ?? t.microphoneOf(server))}
      value={chosen}
      options={choices}
      onOpen={() => void voicePanel.loadDevices()}
      onChange={(id) => void voicePanel.chooseMicrophone(id)}
    />
  );
}

function TestResult() {
  const result = useStore(useWindowState().voicePanel.testResult);
  if (!result) return null;
  return (
    <p className={styles.test} role="status" data-testid="test-result">
      <CodeWords text={describe(result)} />
    </p>
  );
}

function describe({ texts: words, peak, notices, failure }: VoiceTestResult): string {
  if (failure) return t.testFailed(`${failure.message} ${failure.hint ?? ""}`.trim());
  const heard = words.length > 0 ? t.heard(words.map(t.quoted).join(", ")) : t.heardNothing;
  const loud = peak === null ? "" : t.loudest(decibels(peak));
  return [heard, loud, ...notices].filter((line) => line !== "").join(" ");
}
