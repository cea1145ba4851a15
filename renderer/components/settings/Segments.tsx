import styles from "./Segments.module.css";

interface SegmentsProps {
  name: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChoose: (value: string) => void;
  named: Readonly<Record<string, string>>;
}

/** A few short choices, all in sight. */
export function Segments({ name, value, options, onChoose, named }: SegmentsProps) {
  return (
    <fieldset className={styles.segments} data-testid="setting-control" data-kind="segments" {...named}>
      {options.map(([option, label]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            value={option}
            checked={value === option}
            onChange={() => onChoose(option)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
