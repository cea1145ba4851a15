import { Icon, type IconName } from "../../ui/Icon.tsx";

interface ActionButtonProps {
  icon: IconName;
  label: string;
  title: string;
  onAct: () => void;
}

/** One thing that can be done with a message. */
export function ActionButton({ icon, label, title, onAct }: ActionButtonProps) {
  return (
    <button type="button" className="btn small ghost" aria-label={label} title={title} onClick={onAct}>
      <Icon name={icon} size={14} />
    </button>
  );
}
