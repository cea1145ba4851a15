import type { ButtonHTMLAttributes } from "react";
import styles from "./Switch.module.css";

interface SwitchProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "onChange"> {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** On or off; what it switches is said beside it. */
export function Switch({ isOn, onChange, ...named }: SwitchProps) {
  return (
    <button
      {...named}
      type="button"
      role="switch"
      className={styles.switch}
      aria-checked={isOn}
      onClick={() => onChange(!isOn)}
    />
  );
}
