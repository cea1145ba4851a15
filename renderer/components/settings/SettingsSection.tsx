import { type ReactNode, useEffect } from "react";
import type { SettingSection } from "../../../shared/settings-texts/groups.ts";
import { type SettingGroup, settingGroups } from "../../../shared/settings-texts/groups.ts";
import { keySheet } from "../../state/keys/key-sheet.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { ImportServers, ServersList } from "../servers/ServersList.tsx";
import { ModelList } from "../voice/panel/ModelList.tsx";
import { Microphones } from "../voice/panel/VoiceNow.tsx";
import panel from "../voice/panel/VoicePanel.module.css";
import { WordsSettings } from "../voice/panel/WordsSettings.tsx";
import { useWindowState } from "../window/window-context.ts";
import { AboutSection } from "./AboutSection.tsx";
import { DataSection } from "./DataSection.tsx";
import { KeyRows } from "./KeyRows.tsx";
import { LocalServers } from "./LocalServers.tsx";
import { FenceState, TrustedFiles } from "./PermissionExtras.tsx";
import { SettingRow } from "./SettingRow.tsx";
import styles from "./Settings.module.css";

const t = texts.settingsPage;

/** What a section has beside its settings. */
const before: Partial<Record<SettingSection, () => ReactNode>> = {
  models: () => <KeyRows />,
  servers: () => (
    <div className={styles.servers}>
      <ImportServers />
      <ServersList />
    </div>
  ),
  data: () => <DataSection />,
  about: () => <AboutSection />,
};
const after: Partial<Record<SettingSection, () => ReactNode>> = {
  voice: () => <VoiceParts />,
  permissions: () => <TrustedFiles />,
  shortcuts: () => <WindowKeys />,
};

/** One section of the page: what is special to it, and its settings in their groups. */
export function SettingsSection({ section }: { section: SettingSection }) {
  const { name, about } = t.sections[section];
  return (
    <>
      <header>
        <h1>{name}</h1>
        <p>{about}</p>
      </header>
      {before[section]?.()}
      {settingGroups.map(
        (group, place) =>
          group.section === section && <Group key={group.title} group={group} place={place} />,
      )}
      {after[section]?.()}
    </>
  );
}

/** Settings whose title, help or key has the words, section by section. */
export function FoundSettings({ words }: { words: string }) {
  const wanted = words.trim().toLowerCase();
  const found = settingGroups.map((group) => ({
    ...group,
    keys: group.keys.filter((key) => {
      const { title, help } = t.of[key];
      return [key, title, help].some((text) => text.toLowerCase().includes(wanted));
    }),
  }));
  const count = found.reduce((sum, { keys }) => sum + keys.length, 0);
  return (
    <>
      <p role="status" className={styles.fine} data-testid="settings-found">
        {count === 0 ? t.none(words.trim()) : t.found(count)}
      </p>
      {found.map(
        (group, place) =>
          group.keys.length > 0 && (
            <Group
              key={`${group.section} ${group.title}`}
              group={group}
              place={place}
              under={t.sections[group.section].name}
            />
          ),
      )}
    </>
  );
}

function Group({ group, place, under }: { group: SettingGroup; place: number; under?: string }) {
  return (
    <section className={styles.group}>
      <h2>
        {under !== undefined && <span className={styles.fine}>{under}</span>}
        {t.groups[place]}
        {group.keys.includes("fence") && <FenceState />}
      </h2>
      <div className={styles.rows}>
        {group.keys.includes("localModelServers") && <LocalServers />}
        {group.keys.map((key) => (
          <SettingRow key={key} name={key} />
        ))}
      </div>
    </section>
  );
}

/** The keys that are as they are. */
function WindowKeys() {
  const info = useStore(useWindowState().info);
  const chosen = { questionMark: info?.questionMarkShowsKeys ?? true };
  return keySheet(info?.platform, chosen).map(({ title, rows }) => (
    <section key={title} className={styles.group}>
      <h2>{title}</h2>
      <dl className={styles.rows}>
        {rows.map(({ keys, does }) => (
          <div key={does} className={`${styles.row} ${styles.pressed}`}>
            <dt className={styles.lab}>{does}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  ));
}

/** Parts of the voice panel: the microphones there are, speech models, and the user's words one by one. */
function VoiceParts() {
  const { voicePanel } = useWindowState();
  const snapshot = useStore(voicePanel.snapshot);
  useEffect(() => void voicePanel.loadDevices(), [voicePanel]);
  if (!snapshot) return null;
  const { settings } = snapshot;
  return (
    <section className={styles.group}>
      <h2>{t.voice.parts}</h2>
      <div className={`${styles.rows} ${styles.voice} ${panel.voicePanel}`}>
        <Microphones panel={snapshot} />
        <ModelList
          chosen={settings["voice.model"]}
          voice={settings["voice.voice"]}
          language={settings["voice.language"]}
        />
        <WordsSettings settings={settings} set={voicePanel.set} />
      </div>
    </section>
  );
}
