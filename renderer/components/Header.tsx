import type { VoiceStateName } from "../../shared/events.ts";
import type { AppInfo } from "../../shared/ipc.ts";
import type { PermissionMode } from "../../shared/permissions.ts";
import type { VoiceView } from "../../shared/transcript.ts";
import { isOn } from "../state/window-state.ts";
import { voiceLabel } from "../state/wording.ts";
import { Icon } from "./Icon.tsx";
import { ModeSwitch } from "./ModeSwitch.tsx";

interface HeaderProps {
  title: string;
  info: AppInfo | null;
  voice: VoiceView | null;
  mode: PermissionMode | null;
  onMenu: () => void;
}

/** What is shown, where it works, who answers and whether anything is listening. */
export function Header({ title, info, voice, mode, onMenu }: HeaderProps) {
  return (
    <header>
      <button
        type="button"
        className="btn icon ghost menu"
        aria-label="Conversations"
        title="Conversations"
        onClick={onMenu}
      >
        <Icon name="menu" size={18} />
      </button>
      <h1 title={title}>{title}</h1>
      {info && (
        <span className="pill folder" title={`Working folder: ${info.workingFolder}`}>
          {/* The start is cut when it is too long: the end says which folder it is. */}
          <bdi>{info.workingFolder}</bdi>
        </span>
      )}
      <span className="sp" />
      {mode && <ModeSwitch mode={mode} platform={info?.platform} />}
      {info && (
        <span
          className={info.provider === "offline" ? "pill amber" : "pill"}
          data-testid="model"
          title={info.provider === "offline" ? "No model is configured" : `Provider: ${info.provider}`}
        >
          {info.modelLabel}
        </span>
      )}
      {voice && <VoicePill voice={voice} />}
    </header>
  );
}

const pillKinds: Partial<Record<VoiceStateName, string>> = { failed: "bad", restarting: "amber" };

function VoicePill({ voice }: { voice: VoiceView }) {
  const { state, source, detail } = voice;
  const kind = pillKinds[state] ?? (isOn(state) ? "live" : "");
  return (
    <span
      className={`pill ${kind}`}
      data-testid="voice-state"
      data-state={state}
      data-source={source ?? undefined}
      title={detail ? `${detail.message} ${detail.hint ?? ""}`.trim() : undefined}
    >
      {state !== "off" && <span aria-hidden="true">{state === "failed" ? "✕ " : "● "}</span>}
      {voiceLabel(state, source)}
    </span>
  );
}
