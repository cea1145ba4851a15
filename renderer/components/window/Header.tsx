import { useState } from "react";
import type { VoiceStateName } from "../../../shared/conversation/events.ts";
import type { AppInfo } from "../../../shared/ipc.ts";
import { isOn, sourceOf, type VoiceNow } from "../../../shared/voice/voice-snapshot.ts";
import { keyLabel, voiceLabel, withTilde } from "../../state/conversation/wording.ts";
import type { ShownView } from "../../state/voice/shown-view.ts";
import { texts } from "../../texts/texts.ts";
import { LevelMenu } from "../approvals/LevelMenu.tsx";
import { OverheardChip } from "../approvals/OverheardChip.tsx";
import { Icon } from "../ui/Icon.tsx";
import { InlineEdit } from "../ui/InlineEdit.tsx";
import styles from "./Header.module.css";
import { ModelMenu } from "./ModelMenu.tsx";

const t = texts.window;

interface HeaderProps {
  title: string;
  info: AppInfo | null;
  view: ShownView | null;
  onMenu: () => void;
  onRename: (title: string) => void;
  onPickFolder: () => void;
  onVoicePanel: () => void;
}

/** What is shown, where it works, who answers and whether anything is listening. */
export function Header({ title, info, view, onMenu, onRename, onPickFolder, onVoicePanel }: HeaderProps) {
  // Of which conversation: a title that is being changed must not become another one's.
  const [renaming, setRenaming] = useState<string | null>(null);
  const id = view?.conversationId ?? null;
  const folder = view?.workingFolder
    ? withTilde(view.workingFolder, info?.homeFolder ?? "")
    : info?.workingFolder;
  return (
    <header className={styles.header}>
      <button
        type="button"
        className={`btn icon ghost ${styles.menu}`}
        aria-label={t.conversations}
        title={t.conversations}
        onClick={onMenu}
      >
        <Icon name="menu" size={18} />
      </button>
      {renaming !== null && renaming === id ? (
        <InlineEdit
          label={t.titleLabel}
          text={title}
          maxLength={200}
          onDone={(text) => {
            setRenaming(null);
            if (text.trim() !== title) onRename(text);
          }}
          onCancel={() => setRenaming(null)}
        />
      ) : (
        <h1 title={title}>
          <button
            type="button"
            data-testid="title"
            title={t.renameTitle(title)}
            disabled={id === null}
            onClick={() => setRenaming(id)}
          >
            {title}
          </button>
        </h1>
      )}
      {folder && (
        <button
          type="button"
          className={`pill ${styles.folder}`}
          data-testid="working-folder"
          aria-label={t.folder(folder)}
          title={t.folderTitle(folder)}
          onClick={onPickFolder}
        >
          {/* The start is cut when it is too long: the end says which folder it is. */}
          <bdi>{folder}</bdi>
        </button>
      )}
      <span className="sp" />
      {view?.isOverheard && <OverheardChip />}
      {info && (
        <LevelMenu
          name={view?.permissionMode ?? info.permissionMode}
          fence={info.fence}
          platform={info.platform}
        />
      )}
      {info && <ModelMenu info={info} />}
      {view && <VoicePill now={view.voice.now} platform={info?.platform} onOpen={onVoicePanel} />}
    </header>
  );
}

const pillKinds: Partial<Record<VoiceStateName, string>> = { failed: "bad", restarting: "amber" };

interface VoicePillProps {
  now: VoiceNow;
  platform: string | undefined;
  onOpen: () => void;
}

function VoicePill({ now, platform, onOpen }: VoicePillProps) {
  const { state } = now;
  const detail = state === "off" ? null : now.detail;
  const kind = pillKinds[state] ?? (isOn(now) ? "live" : "");
  const key = keyLabel(platform, "L", true);
  return (
    <button
      type="button"
      className={`pill ${kind}`}
      data-testid="voice-state"
      data-state={state}
      data-source={sourceOf(now) ?? undefined}
      title={detail ? `${detail.message} ${detail.hint ?? ""}`.trim() : t.voicePanelTitle(key)}
      onClick={onOpen}
    >
      {state !== "off" && <span aria-hidden="true">{state === "failed" ? "✕ " : "● "}</span>}
      {isOn(now) && now.isMuted ? texts.voice.muted : voiceLabel(now)}
    </button>
  );
}
