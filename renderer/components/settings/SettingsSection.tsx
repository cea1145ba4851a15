import type { ReactNode } from "react";
import type { SettingSection } from "../../../shared/settings-texts/groups.ts";
import { keySheet } from "../../state/keys/key-sheet.ts";
import {
  foundBlocks,
  type PartName,
  type SettingBlock,
  settingBlocks,
} from "../../state/settings/settings-blocks.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { ImportServers, ServersList } from "../servers/ServersList.tsx";
import { ModelList } from "../voice/panel/ModelList.tsx";
import panel from "../voice/panel/VoicePanel.module.css";
import { WordsSettings } from "../voice/panel/WordsSettings.tsx";
import { useWindowState } from "../window/window-context.ts";
import { HelpRows, LicenceList, VersionRows } from "./AboutSection.tsx";
import { DataRows } from "./DataSection.tsx";
import { KeyRows } from "./KeyRows.tsx";
import { FenceState, TrustedFiles } from "./PermissionExtras.tsx";
import { isHeading, SettingOnPage, SettingRow } from "./SettingRow.tsx";
import styles from "./Settings.module.css";

const t = texts.settingsPage;

/** What the sections have beside settings; each shows those of its rows that are asked for. */
const parts: Readonly<Record<PartName, (props: { has: (title: string) => boolean }) => ReactNode>> = {
  keys: KeyRows,
  voice: VoiceParts,
  trust: TrustedFiles,
  servers: Servers,
  data: DataRows,
  versions: VersionRows,
  help: HelpRows,
  licences: LicenceList,
};

/** One section of the page: its settings in their groups, and what else it has. */
export function SettingsSection({ section }: { section: SettingSection }) {
  const { name, about } = t.sections[section];
  return (
    <>
      <header>
        <h1>{name}</h1>
        <p>{about}</p>
      </header>
      {settingBlocks.map(
        (block) => block.section === section && <Block key={block.title} block={block} under={null} />,
      )}
      {section === "shortcuts" && <WindowKeys />}
    </>
  );
}

/** What has the words, section by section. */
export function FoundSettings({ words }: { words: string }) {
  const { blocks, count } = foundBlocks(words);
  return (
    <>
      <p role="status" className={styles.fine} data-testid="settings-found">
        {count === 0 ? t.none(words.trim()) : t.found(count)}
      </p>
      {blocks.map((block) => (
        <Block
          key={`${block.section} ${block.title}`}
          block={block}
          under={<span className={styles.fine}>{t.sections[block.section].name}</span>}
        />
      ))}
    </>
  );
}

/** @param under which section it is of; null in that section, whose name is not said twice there */
function Block({ block, under }: { block: SettingBlock; under: ReactNode }) {
  const { section, title } = block;
  if ("part" in block) {
    const Part = parts[block.part];
    return (
      <section className={styles.group} data-testid="settings-part" data-part={block.part}>
        {(under !== null || title !== t.sections[section].name) && (
          <h2>
            {under}
            {title}
          </h2>
        )}
        <Part has={(wanted) => block.rows.some((row) => row.title === wanted)} />
      </section>
    );
  }
  const { keys } = block;
  const [first] = keys;
  if (first !== undefined && isHeading(first)) return <SettingOnPage name={first} under={under} />;
  return (
    <section className={styles.group}>
      <h2>
        {under}
        {title}
        {keys.includes("fence") && <FenceState />}
      </h2>
      <div className={styles.rows}>
        {keys.map((key) => (
          <SettingRow key={key} name={key} />
        ))}
      </div>
    </section>
  );
}

function Servers() {
  return (
    <div className={styles.servers}>
      <ImportServers />
      <ServersList />
    </div>
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

/** Parts of the voice panel: speech models, and the user's words one by one. */
function VoiceParts({ has }: { has: (title: string) => boolean }) {
  const { voicePanel } = useWindowState();
  const settings = useStore(voicePanel.snapshot)?.settings;
  if (!settings) return null;
  return (
    <div className={`${styles.rows} ${styles.voice} ${panel.voicePanel}`}>
      {has(texts.voicePanel.models.title) && (
        <ModelList
          chosen={settings["voice.model"]}
          voice={settings["voice.voice"]}
          language={settings["voice.language"]}
        />
      )}
      {has(texts.voicePanel.words.title) && <WordsSettings settings={settings} set={voicePanel.set} />}
    </div>
  );
}
