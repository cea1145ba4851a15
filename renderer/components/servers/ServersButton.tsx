import { keyLabel } from "../../state/conversation/wording.ts";
import { needyCount } from "../../state/servers.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./ServersButton.module.css";

const t = texts.servers;

interface ServersButtonProps {
  platform: string | undefined;
  onOpened: () => void;
}

/** Opens the list of MCP servers, and says beside it when one of them needs the user. */
export function ServersButton({ platform, onOpened }: ServersButtonProps) {
  const { servers } = useWindowState();
  const count = needyCount(useStore(servers.view));
  return (
    <button
      type="button"
      className={count > 0 ? "btn small ghost" : "btn icon ghost"}
      data-testid="servers-button"
      aria-label={count > 0 ? `${t.title}: ${t.needYou(count)}` : t.title}
      title={t.buttonTitle(keyLabel(platform, "S", true))}
      onClick={() => {
        onOpened();
        servers.open();
      }}
    >
      <Icon name="plug" />
      {count > 0 && <span className={styles.needs}>{t.needYou(count)}</span>}
    </button>
  );
}
