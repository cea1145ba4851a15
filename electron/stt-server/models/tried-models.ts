import { z } from "zod";
import lines from "../../../resources/speech-models-tried.json" with { type: "json" };
import { triedModel } from "../../../shared/voice/stt.ts";
import type { CatalogueModel } from "./catalogue.ts";

const triedFile = z.object({
  name: z.string(),
  bytes: z.number().int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** What was found with one model: a line of `resources/speech-models-tried.json`. */
export const triedLine = triedModel.extend({
  id: z.string(),
  /** Of the whole download; null where it did not come to that. */
  bytes: z.number().int().positive().nullable(),
  /** Whether each file is what the catalogue says; `new`: it said of some file nothing, and the line does. */
  sha256: z.enum(["ok", "new", "wrong", "unknown"]),
  /** What was downloaded; empty where it did not come to that. */
  files: z.array(triedFile),
});
export type TriedLine = z.infer<typeof triedLine>;

/** What a results file holds. */
export const triedLines = z.array(triedLine);

/** What `npm run try-models -- --speech` found, as it is kept. */
export const triedModels: readonly TriedLine[] = triedLines.parse(lines);

/** A model as it is offered. */
export interface OfferedModel extends CatalogueModel {
  /** Null where nobody has tried these very files. */
  tried?: TriedLine | null;
}

/** The model, with sizes and checksums that were found when it was tried, where the catalogue has none. Pure. */
export function withTried(model: CatalogueModel, lines: readonly TriedLine[]): OfferedModel {
  const line = lines.find(({ id }) => id === model.id);
  if (!line || !isAbout(line, model)) return { ...model, tried: null };
  if (line.problem !== null) return { ...model, tried: line };
  const files = model.files.map((file) => {
    const found = line.files.find(({ name }) => name === file.name);
    return {
      ...file,
      bytes: file.bytes ?? found?.bytes ?? null,
      sha256: file.sha256 ?? found?.sha256 ?? null,
    };
  });
  return { ...model, bytes: model.bytes ?? line.bytes, files, tried: line };
}

/** Whether what is fetched can be told from anything else: nobody is shown a model of which that is not so. */
export const isChecked = ({ files }: CatalogueModel): boolean => files.every(({ sha256 }) => sha256 !== null);

/** Of other files than those of the catalogue a line says nothing. */
function isAbout(line: TriedLine, model: CatalogueModel): boolean {
  return line.files.every(({ name, sha256 }) => {
    const file = model.files.find((one) => one.name === name);
    return file !== undefined && (file.sha256 === null || file.sha256 === sha256);
  });
}
