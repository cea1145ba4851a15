import { keyLabel } from "../../state/conversation/wording.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import sidebar from "../sessions/Sidebar.module.css";
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
  const { servers: list, problems } = useStore(servers.view);
  const needy = list.filter(
    ({ state, asksForHosts, left }) =>
      asksForHosts.length > 0 ||
      left.length > 0 ||
      (state !== "ready" && state !== "starting" && state !== "stopped"),
  ).length;
  const count = needy + problems.length;
  return (
    <button
      type="button"
      className={`btn ghost ${sidebar.archive}`}
      data-testid="servers-button"
      title={t.buttonTitle(keyLabel(platform, "S", true))}
      onClick={() => {
        onOpened();
        servers.open();
      }}
    >
      <Icon name="plug" size={15} />
      {t.title}
      {count > 0 && <span className={styles.needs}>{t.needYou(count)}</span>}
    </button>
  );
}
