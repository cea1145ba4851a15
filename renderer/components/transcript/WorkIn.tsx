import { useEffect, useState } from "react";
import { withTilde } from "../../../shared/with-tilde.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./Starters.module.css";

const t = texts.transcript.welcome;

/** At most so many folders are offered. */
const most = 4;

interface WorkInProps {
  /** Of the conversation, as the system names it; undefined: it is not known yet. */
  path: string | undefined;
  home: string;
}

/** Where a new conversation works: folders that were used lately, and the way to any other. */
export function WorkIn({ path, home }: WorkInProps) {
  const windowState = useWindowState();
  const { folders } = windowState;
  const [recent, setRecent] = useState<string[]>([]);
  // What is listed keeps its place when another one of it is chosen.
  useEffect(() => void folders.recent().then(setRecent), [folders]);
  if (path === undefined) return null;
  const listed = recent.slice(0, most);
  const all = listed.includes(path) ? listed : [path, ...listed.slice(0, most - 1)];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is a box of its own
    <div className={styles.work} role="group" aria-label={t.workIn} data-testid="work-in">
      <span>{t.workIn}</span>
      {all.map((folder) => (
        <button
          key={folder}
          type="button"
          className="btn ghost"
          aria-pressed={folder === path}
          title={withTilde(folder, home)}
          onClick={() => folder !== path && windowState.changeFolder(folder)}
        >
          <Icon name="folder" />
          <bdi>{folder.split(/[\\/]/).at(-1)}</bdi>
        </button>
      ))}
      <button type="button" className="btn ghost" title={t.otherFolderTitle} onClick={windowState.pickFolder}>
        {t.otherFolder}
      </button>
    </div>
  );
}
