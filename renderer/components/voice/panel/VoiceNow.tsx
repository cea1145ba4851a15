import type { ConversationView } from "../../../../shared/conversation/transcript.ts";
import type { VoicePanelView, VoiceTestResult } from "../../../../shared/voice/voice-panel.ts";
import { decibels } from "../../../state/conversation/wording.ts";
import { useStore } from "../../../state/store.ts";
import { isOn } from "../../../state/window-state.ts";
import { SpokenText } from "../../transcript/SpokenText.tsx";
import { useWindowState } from "../../window/window-context.ts";
import { LevelBars } from "../LevelBars.tsx";
import { Choice } from "./fields.tsx";

const sources = [
  ["microphone", "Microphone"],
  ["loopback", "What this computer plays"],
  ["both", "A meeting: both"],
] as const;

/** What is heard at this moment, from where, and what can be done about it. */
export function VoiceNow({ panel, view }: { panel: VoicePanelView; view: ConversationView | null }) {
  const windowState = useWindowState();
  const { desk } = windowState;
  const on = isOn(panel.state);
  const isHere = panel.conversationId === view?.conversationId;
  const source = panel.settings["voice.source"];
  return (
    <section className="now">
      <div className="meter">
        <LevelBars level={windowState.level} />
        <div className="words">
          {isHere && view?.voice.partial ? (
            <SpokenText partial={view.voice.partial} testId="panel-partial" />
          ) : (
            <p className="quiet">{on ? (panel.device ?? "No words at the moment") : "Voice is off"}</p>
          )}
        </div>
      </div>
      <div className="buttons">
        <button
          type="button"
          className={on ? "btn small" : "btn small primary"}
          onClick={() => void (on ? windowState.stopVoice() : windowState.startVoice(source))}
        >
          {on ? "Stop" : "Listen"}
        </button>
        <button
          type="button"
          className="btn small"
          aria-pressed={panel.isMuted}
          disabled={!on}
          title="What is said is dropped until you listen again"
          onClick={() => desk.mute(!panel.isMuted)}
        >
          {panel.isMuted ? "Unmute" : "Mute"}
        </button>
        <button
          type="button"
          className="btn small"
          disabled={on || panel.isTesting}
          title={on ? "Stop listening first" : "Listen for five seconds and say what was heard"}
          onClick={() => void desk.test()}
        >
          {panel.isTesting ? "Say something…" : "Test"}
        </button>
        <button
          type="button"
          className="btn small"
          disabled={on}
          title="Listen to a recording in place of the microphone"
          onClick={desk.listenToFile}
        >
          File…
        </button>
        {panel.source === "both" && (
          <button
            type="button"
            className="btn small primary"
            title="Send what was said in the meeting since you last asked"
            onClick={desk.ask}
          >
            Ask now
          </button>
        )}
      </div>
      <TestResult />
      <Choice
        label="Listen to"
        value={source}
        options={sources}
        onChange={(next) => {
          void desk.set("voice.source", next);
          if (on) void windowState.startVoice(next);
        }}
      />
      <Microphones chosen={panel.settings["voice.microphone"]} />
    </section>
  );
}

function Microphones({ chosen }: { chosen: string }) {
  const { desk } = useWindowState();
  const found = useStore(desk.devices)?.capture ?? [];
  const options = found
    .filter(({ id }) => id !== "default")
    .map(({ id, name }, index) => [id, name || `Microphone ${index + 1}`] as const);
  return (
    <Choice
      label="Microphone"
      testId="microphones"
      hint="One that is unplugged gives way to the default one until it is back"
      value={chosen}
      options={[["", "The system's default"], ...options]}
      onOpen={() => void desk.loadDevices()}
      onChange={(id) => void desk.set("voice.microphone", id)}
    />
  );
}

function TestResult() {
  const result = useStore(useWindowState().desk.testResult);
  if (!result) return null;
  return (
    <p className="test" role="status" data-testid="test-result">
      {describe(result)}
    </p>
  );
}

function describe({ texts, peak, notices, failure }: VoiceTestResult): string {
  if (failure) return `The test failed: ${failure.message} ${failure.hint ?? ""}`.trim();
  const heard =
    texts.length > 0 ? `Heard ${texts.map((text) => `“${text}”`).join(", ")}.` : "Heard no words.";
  const loud = peak === null ? "" : `Loudest: ${decibels(peak)}.`;
  return [heard, loud, ...notices].filter((line) => line !== "").join(" ");
}
