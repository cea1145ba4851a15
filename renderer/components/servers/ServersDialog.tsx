import { useRef } from "react";
import { texts } from "../../texts/texts.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./ServersDialog.module.css";
import { ImportServers, ServersList } from "./ServersList.tsx";

const t = texts.servers;

/** The MCP servers, over the conversation. */
export function ServersDialog() {
  const { servers } = useWindowState();
  const dialog = useRef<HTMLDialogElement>(null);

  return (
    <Dialog
      dialog={dialog}
      className={styles.dialog}
      testId="servers"
      titleId="servers-title"
      onClose={servers.close}
    >
      <div className={styles.top}>
        <h2 id="servers-title">{t.title}</h2>
        <ImportServers />
        <button type="button" className="btn" title={t.closeTitle} onClick={() => dialog.current?.close()}>
          {texts.common.close}
        </button>
      </div>
      <ServersList />
    </Dialog>
  );
}
