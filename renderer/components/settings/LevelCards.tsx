import { levels, type PermissionLevel, permissionLevel } from "../../../shared/safety/permissions.ts";
import { levelIcons } from "../approvals/LevelMenu.tsx";
import { Icon } from "../ui/Icon.tsx";
import styles from "./LevelCards.module.css";

interface LevelCardsProps {
  value: string;
  onChoose: (level: PermissionLevel) => void;
  named: Readonly<Record<string, string>>;
}

/** The levels, each with what it means. */
export function LevelCards({ value, onChoose, named }: LevelCardsProps) {
  return (
    <fieldset className={styles.cards} data-testid="setting-control" data-kind="cards" {...named}>
      {permissionLevel.options.map((level) => (
        <label key={level} className={styles.card}>
          <input
            type="radio"
            name="permissionMode"
            value={level}
            checked={value === level}
            onChange={() => onChoose(level)}
          />
          <b>
            <Icon name={levelIcons[level]} size={15} />
            {levels[level].label}
          </b>
          <small>{levels[level].meaning}</small>
        </label>
      ))}
    </fieldset>
  );
}
