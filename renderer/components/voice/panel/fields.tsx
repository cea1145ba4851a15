import {
  type ChangeEvent,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useState,
} from "react";
import { Switch } from "../../ui/Switch.tsx";
import styles from "./VoicePanel.module.css";

/** A slider is being moved: what it says counts once it rests so long, in milliseconds. */
const restMs = 200;

interface SliderProps {
  label: string;
  hint?: string;
  value: number;
  min: number;
  max: number;
  step: number;
  /** The value as people read it. */
  format: (value: number) => string;
  onChange: (value: number) => void;
}

/** A number that is chosen by moving it. */
export function Slider({ label, hint, value, min, max, step, format, onChange }: SliderProps) {
  const id = useId();
  const [moved, setMoved] = useState<number | null>(null);
  const shown = moved ?? value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a move, and the rest after it, changes anything
  useEffect(() => {
    if (moved === null) return;
    const timer = setTimeout(() => {
      if (moved !== value) onChange(moved);
      setMoved(null);
    }, restMs);
    return () => clearTimeout(timer);
  }, [moved]);
  return (
    <div className={styles.field} title={hint}>
      <label htmlFor={id}>{label}</label>
      <output htmlFor={id}>{format(shown)}</output>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={Math.min(max, Math.max(min, shown))}
        aria-valuetext={format(shown)}
        onChange={(event) => setMoved(Number(event.target.value))}
      />
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  hint?: string;
  value: T;
  options: readonly (readonly [T, string])[];
  testId?: string;
  onChange: (value: T) => void;
  onOpen?: () => void;
}

/** One of several. A value that is none of them stands there, too: a device that is not plugged in. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label, hint, value, options, testId, onChange, onOpen } = props;
  const id = useId();
  const isKnown = options.some(([key]) => key === value);
  return (
    <div className={`${styles.field} ${styles.rowField}`} title={hint}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        data-testid={testId}
        value={value}
        onPointerDown={onOpen}
        onChange={(event) => {
          const chosen = options.find(([key]) => key === event.target.value);
          if (chosen) onChange(chosen[0]);
        }}
      >
        {!isKnown && <option value={value}>{value}</option>}
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

interface SwitchFieldProps {
  label: string;
  hint?: ReactNode;
  value: boolean;
  onChange: (value: boolean) => void;
}

/** On or off. */
export function SwitchField({ label, hint, value, onChange }: SwitchFieldProps) {
  const id = useId();
  return (
    <div className={`${styles.field} ${styles.switchField}`}>
      <Switch id={id} isOn={value} onChange={onChange} />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && <p className="hint">{hint}</p>}
    </div>
  );
}

/**
 * Of a text box: Enter or leaving it keeps the change; until then what is typed is only there.
 * @param keep of another text than `value`, without blanks around it; one that is not taken is `value` again
 */
export function useKeptText(value: string, keep: (text: string) => void) {
  const [typed, setTyped] = useState<string | null>(null);
  const end = (text: string) => {
    setTyped(null);
    if (text.trim() !== value) keep(text.trim());
  };
  return {
    value: typed ?? value,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setTyped(event.target.value),
    onBlur: (event: FocusEvent<HTMLInputElement>) => end(event.currentTarget.value),
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.key === "Enter" && !event.nativeEvent.isComposing) end(event.currentTarget.value);
    },
  };
}

interface TextFieldProps {
  label: string;
  mayBeBlank?: boolean;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
}

/** A short text; Enter or leaving it keeps the change. */
export function TextField({ label, mayBeBlank = false, hint, value, onChange }: TextFieldProps) {
  const id = useId();
  const kept = useKeptText(value, (text) => {
    if (mayBeBlank || text !== "") onChange(text);
  });
  return (
    <div className={`${styles.field} ${styles.rowField}`} title={hint}>
      <label htmlFor={id}>{label}</label>
      <input id={id} type="text" {...kept} />
    </div>
  );
}

/** A part of the panel that opens. */
export function Fold({
  title,
  onOpen,
  children,
}: {
  title: string;
  onOpen?: () => void;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={styles.fold}
      open={isOpen}
      onToggle={(event) => {
        const { open } = event.currentTarget;
        setOpen(open);
        if (open && !isOpen) onOpen?.();
      }}
    >
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}
