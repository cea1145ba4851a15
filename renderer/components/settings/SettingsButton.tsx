import { keyLabel } from "../../state/conversation/wording.ts";
import { texts } from "../../texts/texts.ts";
import sidebar from "../sessions/Sidebar.module.css";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";

const t = texts.settingsPage;

/** Opens the settings; at the foot of the list. */
export function SettingsButton({
  platform,
  onOpened,
}: {
  platform: string | undefined;
  onOpened: () => void;
}) {
  const { settingsPage } = useWindowState();
  return (
    <button
      type="button"
      className={`btn ghost ${sidebar.wide}`}
      data-testid="settings-button"
      title={t.buttonTitle(keyLabel(platform, ","))}
      onClick={() => {
        onOpened();
        settingsPage.open();
      }}
    >
      <Icon name="sliders" />
      {t.title}
    </button>
  );
}
