import { keyLabel } from "../../state/conversation/wording.ts";
import { useStore } from "../../state/store.ts";
import { Icon } from "../ui/Icon.tsx";
import { useWindow } from "../window/window-context.ts";

interface ServersButtonProps {
  platform: string | undefined;
  onOpened: () => void;
}

/** Opens the list of MCP servers, and says beside it when one of them needs the user. */
export function ServersButton({ platform, onOpened }: ServersButtonProps) {
  const { servers } = useWindow();
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
      className="btn ghost archive"
      data-testid="servers-button"
      title={`What runs, why what does not, and which tools are offered (${keyLabel(platform, "S", true)})`}
      onClick={() => {
        onOpened();
        servers.open();
      }}
    >
      <Icon name="plug" size={15} />
      MCP servers
      {count > 0 && <span className="needs"> · {count === 1 ? "1 needs you" : `${count} need you`}</span>}
    </button>
  );
}
