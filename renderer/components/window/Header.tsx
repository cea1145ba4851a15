import { useCallback, useRef, useState } from "react";
import type { VoiceStateName } from "../../../shared/conversation/events.ts";
import type { SessionSummary } from "../../../shared/conversation/sessions.ts";
import type { AppInfo } from "../../../shared/ipc/setting-routes.ts";
import { hears, isOn, sourceOf, type VoiceNow } from "../../../shared/voice/voice-snapshot.ts";
import { withTilde } from "../../../shared/with-tilde.ts";
import { withoutCodeMarks } from "../../state/code-words.ts";
import { keyLabel, voiceLabel } from "../../state/conversation/wording.ts";
import { groupsOf } from "../../state/sessions/session-rows.ts";
import { useStore } from "../../state/store.ts";
import type { ShownView } from "../../state/voice/shown-view.ts";
import { texts } from "../../texts/texts.ts";
import { LevelMenu } from "../approvals/LevelMenu.tsx";
import { RowMenu } from "../sessions/RowMenu.tsx";
import type { RowEdit } from "../sessions/SessionRow.tsx";
import { Icon } from "../ui/Icon.tsx";
import { InlineEdit } from "../ui/InlineEdit.tsx";
import { FolderMenu } from "./FolderMenu.tsx";
import styles from "./Header.module.css";
import { ModelMenu } from "./ModelMenu.tsx";
import { useWindowState } from "./window-context.ts";

const t = texts.window;

interface HeaderProps {
  title: string;
  info: AppInfo | null;
  view: ShownView | null;
  /** Beside the conversation, where there is room for it. */
  isListShown: boolean;
  onMenu: () => void;
  onRename: (title: string) => void;
  onVoicePanel: () => void;
  isPanelShown: boolean;
  /** As it is pressed, such as `Ctrl+.`. */
  panelKey: string;
  onPanel: () => void;
}

/** What is shown, where it works, who answers and whether anything is listening. */
export function Header(props: HeaderProps) {
  const { title, info, view, isListShown, onMenu, onRename, onVoicePanel, isPanelShown, panelKey, onPanel } =
    props;
  const id = view?.conversationId ?? null;
  const folder = view?.workingFolder
    ? withTilde(view.workingFolder, info?.homeFolder ?? "")
    : info?.workingFolder;
  return (
    <header className={styles.header}>
      <button
        type="button"
        className={
          isListShown ? `btn icon ghost ${styles.menu}` : `btn icon ghost ${styles.menu} ${styles.folded}`
        }
        aria-label={t.conversations}
        title={t.conversations}
        onClick={onMenu}
      >
        <Icon name="menu" size={18} />
      </button>
      <div className={styles.what}>
        {/* A title that is being changed must not become another one's. */}
        <Title key={id} id={id} title={title} onRename={onRename} />
        {folder && <FolderMenu path={view?.workingFolder} folder={folder} home={info?.homeFolder ?? ""} />}
      </div>
      <span className="sp" />
      {info && <ModelMenu info={info} />}
      {info && (
        <LevelMenu
          name={view?.permissionMode ?? info.permissionMode}
          fence={info.fence}
          platform={info.platform}
        />
      )}
      {view && <VoicePill now={view.voice.now} platform={info?.platform} onOpen={onVoicePanel} />}
      <span className={styles.sep} />
      <PanelButton isShown={isPanelShown} panelKey={panelKey} onPanel={onPanel} />
    </header>
  );
}

interface TitleProps extends Pick<HeaderProps, "title" | "onRename"> {
  /** Whose title it is; null: no conversation's yet. */
  id: string | null;
}

/** The title, and what can be done with the conversation; its title and its group are changed in place. */
function Title({ id, title, onRename }: TitleProps) {
  const { library } = useWindowState();
  const sessions = useStore(library.list.sessions);
  const session = sessions.find(({ conversationId }) => conversationId === id);
  const [edited, setEdited] = useState<RowEdit | null>(null);
  const cancel = () => setEdited(null);
  if (edited === "title") {
    return (
      <InlineEdit
        label={t.titleLabel}
        text={title}
        maxLength={200}
        onDone={(text) => {
          setEdited(null);
          if (text.trim() !== title) onRename(text);
        }}
        onCancel={cancel}
      />
    );
  }
  if (edited === "group") {
    return (
      <InlineEdit
        label={texts.sessions.group}
        text={session?.group ?? ""}
        maxLength={100}
        options={groupsOf(sessions)}
        onDone={(text) => {
          setEdited(null);
          if (id !== null) library.moveTo(id, text);
        }}
        onCancel={cancel}
      />
    );
  }
  return (
    <>
      <h1 title={title}>
        <button
          type="button"
          data-testid="title"
          dir="auto"
          title={t.renameTitle(title)}
          disabled={id === null}
          onClick={() => setEdited("title")}
        >
          {title}
        </button>
      </h1>
      {session && <TitleMenu session={session} groups={groupsOf(sessions)} onEdit={setEdited} />}
    </>
  );
}

interface TitleMenuProps {
  session: SessionSummary;
  groups: readonly string[];
  onEdit: (edit: RowEdit) => void;
}

/** What can be done with the conversation that is shown: the menu of its row. */
function TitleMenu({ session, groups, onEdit }: TitleMenuProps) {
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => {
    button.current?.focus();
    setAt(null);
  }, []);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`btn icon ghost ${styles.titleMenu}`}
        data-testid="title-menu"
        aria-label={texts.sessions.more(session.title)}
        aria-haspopup="menu"
        aria-expanded={at !== null}
        title={texts.sessions.moreTitle}
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          setAt({ x: left, y: bottom + 2 });
        }}
      >
        <Icon name="chevronDown" />
      </button>
      {at && <RowMenu session={session} groups={groups} at={at} onEdit={onEdit} onClose={close} />}
    </>
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
  const kind = pillKinds[state] ?? (hears(now) ? "live" : "");
  const key = keyLabel(platform, "L", true);
  return (
    <button
      type="button"
      className={`pill ${kind}`}
      data-testid="voice-state"
      data-state={state}
      data-source={sourceOf(now) ?? undefined}
      title={
        detail ? withoutCodeMarks(`${detail.message} ${detail.hint ?? ""}`.trim()) : t.voicePanelTitle(key)
      }
      onClick={onOpen}
    >
      <Icon name={state === "failed" ? "alert" : isOn(now) && now.isMuted ? "micOff" : "mic"} />
      <span>{voiceLabel(now)}</span>
    </button>
  );
}

/** Opens and closes the panel. */
function PanelButton({
  isShown,
  panelKey,
  onPanel,
}: Pick<HeaderProps, "panelKey" | "onPanel"> & { isShown: boolean }) {
  const name = isShown ? texts.panel.hide(panelKey) : texts.panel.show(panelKey);
  return (
    <button
      type="button"
      className={`btn icon ghost ${styles.panel}`}
      data-testid="panel-toggle"
      aria-expanded={isShown}
      aria-label={name}
      title={name}
      onClick={onPanel}
    >
      <Icon name="panel" size={18} />
    </button>
  );
}
