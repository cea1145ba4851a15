import { isAbsolute } from "node:path";
import { z } from "zod";
import { maxBytes, parseSmallJson, readSmallFile } from "../../files/small-file.ts";
import { SttError } from "../stt-error.ts";
import { type CatalogueModel, catalogue, catalogueFile } from "./catalogue.ts";
import { isChecked, type OfferedModel, triedModels, withTried } from "./tried-models.ts";

/** Names a file in place of the catalogue that comes along: the same models on a mirror, or others. */
export const catalogueVariable = "PARLEY_SPEECH_CATALOGUE";

export interface Catalogue<Model extends CatalogueModel> {
  models: readonly Model[];
  /** Why there are none: what is wrong with the file that is named, and what to do. */
  problem: SttError | null;
}

/** Those of the list that comes along that can be checked; of a list of the user's own all, which is their own affair. */
export function offeredModels(environment: NodeJS.ProcessEnv): Catalogue<OfferedModel> {
  const { models, problem } = readCatalogue(environment);
  const offered = models.map((model) => withTried(model, triedModels));
  return { models: models === catalogue ? offered.filter(isChecked) : offered, problem };
}

/**
 * The models of the catalogue. A file that is wrong gives none: where a mirror was meant, nothing is fetched from elsewhere.
 * @param environment of the process itself: no working folder has a say in what is downloaded and loaded
 */
export function readCatalogue(environment: NodeJS.ProcessEnv): Catalogue<CatalogueModel> {
  const path = environment[catalogueVariable]?.trim();
  if (!path) return { models: catalogue, problem: null };
  try {
    if (!isAbsolute(path)) throw new Error("the whole path is needed");
    const file = readSmallFile(path, { most: maxBytes.catalogue });
    if (file.kind === "missing") throw new Error("it is not there");
    if (file.kind === "refused") throw new Error(`it ${file.why}`);
    return { models: catalogueFile.parse(jsonIn(file.text)), problem: null };
  } catch (error) {
    const message =
      `The catalogue of speech models ${path} cannot be used: ${reasonOf(error)}. ` +
      `Correct it, or take ${catalogueVariable} out of the environment, and start again.`;
    return { models: [], problem: new SttError("bad_catalogue", message, { cause: error }) };
  }
}

function jsonIn(text: string): unknown {
  try {
    return parseSmallJson(text);
  } catch (error) {
    throw new Error(`it ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The first thing that is wrong, and where: `0.files.2.sha256` is counted from 0, as JSON's tools do. */
function reasonOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return error instanceof Error ? error.message : String(error);
  const [issue] = error.issues;
  const place = issue?.path.join(".") ?? "";
  return place === "" ? (issue?.message ?? "") : `${place}: ${issue?.message}`;
}
