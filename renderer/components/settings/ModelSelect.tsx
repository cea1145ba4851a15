import type { ModelList, ModelRow } from "../../../shared/ipc/model-routes.ts";
import { texts } from "../../texts/texts.ts";
import { OpenSelect } from "./OpenSelect.tsx";

const t = texts.settingsPage.model;

interface ModelSelectProps {
  list: ModelList;
  onChoose: (model: string) => void;
  named: Readonly<Record<string, string>>;
}

/** The models that the provider of new conversations lists, and any other by its name. */
export function ModelSelect({ list, onChoose, named }: ModelSelectProps) {
  const { models, recent, current } = list;
  // An alias stands for one of the list.
  const isNamed = models.some(({ id }) => id === current.id);
  const listed = isNamed ? models : [current, ...models.filter(({ name }) => name !== current.name)];
  const option = ({ id, name }: ModelRow) => (
    <option key={id} value={id} title={id}>
      {name}
    </option>
  );
  return (
    <OpenSelect value={current.id} other={t.other} onChoose={onChoose} named={named}>
      {listed.map(option)}
      {recent.length > 0 && <optgroup label={t.recent}>{recent.map(option)}</optgroup>}
    </OpenSelect>
  );
}
