import { effortFor } from "../../../shared/conversation/effort.ts";
import type { AppInfo } from "../../../shared/ipc/setting-routes.ts";
import { hasFence, type LevelName, levels, standingOf } from "../../../shared/safety/permissions.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { Strokes } from "../window/ModelMenu.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./WhoAnswers.module.css";

const t = texts.composer.under;

interface WhoAnswersProps {
  info: AppInfo;
  /** null: as the settings say. */
  permissionMode: LevelName | null;
}

/** Who answers the prompt that is written, and what runs unasked: the menus of the header, from here. */
export function WhoAnswers({ info, permissionMode }: WhoAnswersProps) {
  const { models, modelsWanted, showLevels } = useWindowState();
  const state = useStore(models.state);
  const effort = state ? effortFor(state.effort, state.efforts) : "default";
  const name = state?.modelName ?? info.modelLabel;
  const { level } = standingOf(permissionMode ?? info.permissionMode, hasFence(info.fence));
  return (
    <span className={styles.who}>
      <button
        type="button"
        data-testid="under-model"
        title={t.modelTitle}
        disabled={state === null}
        onClick={() => modelsWanted.emit()}
      >
        {effort !== "default" && <Strokes effort={effort} />}
        <span>
          {effort === "default" ? name : t.modelWith(name, texts.window.model.efforts[effort].toLowerCase())}
        </span>
      </button>
      <button type="button" data-testid="under-level" title={t.levelTitle} onClick={showLevels}>
        <Icon name="shield" size={14} />
        <span>{levels[level].label}</span>
      </button>
    </span>
  );
}
