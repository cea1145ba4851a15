import { type KeyboardEvent, useEffect, useRef } from "react";
import { type SettingSection, settingSections } from "../../../shared/settings-texts/groups.ts";
import { keyLabel } from "../../state/conversation/wording.ts";
import { latinKey } from "../../state/keys/latin-key.ts";
import { needyCount } from "../../state/servers.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { ErrorCard } from "../transcript/messages/ErrorCard.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./Settings.module.css";
import { FoundSettings, SettingsSection } from "./SettingsSection.tsx";

const t = texts.settingsPage;

const icons = {
  general: "sliders",
  models: "key",
  voice: "mic",
  permissions: "shield",
  servers: "plug",
  shortcuts: "keyboard",
  data: "data",
  about: "info",
} as const satisfies Record<SettingSection, string>;

/** Every setting, over the whole window. It gives the keyboard back to where it was. */
export function SettingsPage() {
  const { settingsPage, servers, info } = useWindowState();
  const section = useStore(settingsPage.section);
  const words = useStore(settingsPage.words);
  const failure = useStore(settingsPage.failure);
  const { platform, startupErrors = [] } = useStore(info) ?? {};
  const broken = startupErrors.find(({ code }) => code === "broken_settings");
  const needy = needyCount(useStore(servers.view));
  const dialog = useRef<HTMLDialogElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const page = useRef<HTMLElement>(null);
  const sections = useRef<HTMLDivElement>(null);
  // In a narrow window they are a row that scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another section is the occasion
  useEffect(() => {
    sections.current
      ?.querySelector('[aria-current="page"]')
      ?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [section]);
  const onKeyDown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && latinKey(event) === "f") search.current?.focus();
    else if (event.key === "Escape" && event.target === search.current && words !== "") {
      settingsPage.words.set("");
    } else return;
    event.preventDefault();
  };
  return (
    <Dialog
      dialog={dialog}
      className={styles.page}
      testId="settings"
      titleId="settings-title"
      onClose={settingsPage.close}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the page as a whole */}
      <div className={styles.set} onKeyDown={onKeyDown}>
        <nav className={styles.nav} aria-label={t.title}>
          <div className={styles.top}>
            <button
              type="button"
              className={styles.entry}
              title={t.back}
              aria-label={t.back}
              data-testid="settings-close"
              onClick={() => dialog.current?.close()}
            >
              <Icon name="back" size={15} />
              <b id="settings-title">{t.title}</b>
            </button>
            <span className="sp" />
            <kbd>{texts.common.keys.escape}</kbd>
          </div>
          <label className={`${styles.field} ${styles.search}`}>
            <Icon name="search" size={14} />
            <input
              ref={search}
              type="search"
              data-testid="settings-search"
              placeholder={t.search}
              aria-label={t.searchLabel}
              value={words}
              maxLength={200}
              onChange={(event) => settingsPage.words.set(event.target.value)}
            />
            {words === "" && <kbd>{keyLabel(platform, "F")}</kbd>}
          </label>
          <div className={styles.sections} ref={sections}>
            {settingSections.map((one) => (
              <button
                key={one}
                type="button"
                className={styles.entry}
                data-testid="settings-section"
                data-section={one}
                aria-current={one === section && words.trim() === "" ? "page" : undefined}
                onClick={() => {
                  settingsPage.show(one);
                  page.current?.scrollTo(0, 0);
                }}
              >
                <Icon name={icons[one]} size={15} />
                {t.sections[one].name}
                {one === "servers" && needy > 0 && (
                  <span className={styles.needs} data-testid="settings-needy">
                    {texts.servers.needYou(needy)}
                  </span>
                )}
              </button>
            ))}
          </div>
          <span className="sp" />
          <button
            type="button"
            className={styles.entry}
            data-testid="settings-file"
            onClick={() => void settingsPage.openPlace("settings")}
          >
            <Icon name="open" size={15} />
            {t.openFile}
          </button>
        </nav>
        <main ref={page} className={styles.body}>
          <div className={styles.column}>
            {broken && (
              <div role="alert">
                <ErrorCard error={broken} />
              </div>
            )}
            {failure && (
              <div role="alert">
                <ErrorCard error={failure} />
              </div>
            )}
            {words.trim() === "" ? (
              <SettingsSection key={section} section={section} />
            ) : (
              <FoundSettings words={words} />
            )}
          </div>
        </main>
      </div>
    </Dialog>
  );
}
