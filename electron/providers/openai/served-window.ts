import { z } from "zod";

/** How an API of the server is asked. @returns its JSON @throws where there is none */
export type AskServer = (url: string, body?: object) => Promise<unknown>;

/**
 * The tokens that a server gives a model for prompt and reply together, as far as it tells; null: it does not. Servers on this
 * computer are asked in the ways of Ollama, llama.cpp and LM Studio, too: what a model could take says little of what it was
 * loaded with. Sources: their documentation, and that of vLLM, Groq and OpenRouter for the list of models.
 * @param baseUrl of Chat Completions
 */
export async function servedWindow(
  baseUrl: string,
  model: string,
  { ask, isLocal }: { ask: AskServer; isLocal: boolean },
): Promise<number | null> {
  const root = baseUrl.replace(/\/v1\/?$/, "");
  const own = [ollamaWindow, llamaWindow, studioWindow].map((one) => () => one(root, model, ask));
  const ways = [...(isLocal ? own : []), () => listedWindow(baseUrl, model, ask)];
  const found = await Promise.all(ways.map((way) => way().catch(() => null)));
  return found.find((tokens) => tokens !== null) ?? null;
}

const tokens = z.number().int().positive().nullish().catch(null);

/** Ollama's, where it was told nothing: https://docs.ollama.com/context-length */
const ollamaDefault = 4096;

async function ollamaWindow(root: string, model: string, ask: AskServer): Promise<number | null> {
  const [loaded, shown] = await Promise.all([
    ask(`${root}/api/ps`).then((json) => loadedShape.parse(json)),
    ask(`${root}/api/show`, { model }).then((json) => shownShape.parse(json)),
  ]);
  const now = loaded.models.find(({ name }) => isSame(name, model))?.context_length;
  if (now) return now;
  const [, set] = /^num_ctx\s+(\d+)/m.exec(shown.parameters ?? "") ?? [];
  if (set !== undefined) return Number(set);
  const [most] = Object.entries(shown.model_info ?? {}).flatMap(([name, value]) =>
    name.endsWith(".context_length") && typeof value === "number" ? [value] : [],
  );
  return Math.min(ollamaDefault, most ?? ollamaDefault);
}

const loadedShape = z.object({ models: z.array(z.object({ name: z.string(), context_length: tokens })) });
const shownShape = z.object({
  parameters: z.string().nullish(),
  model_info: z.record(z.string(), z.unknown()).nullish(),
});

async function llamaWindow(root: string, _model: string, ask: AskServer): Promise<number | null> {
  const shape = z.object({ default_generation_settings: z.object({ n_ctx: tokens }) });
  return shape.parse(await ask(`${root}/props`)).default_generation_settings.n_ctx ?? null;
}

async function studioWindow(root: string, model: string, ask: AskServer): Promise<number | null> {
  const shape = z.object({ loaded_context_length: tokens });
  const asked = await ask(`${root}/api/v0/models/${encodeURIComponent(model)}`);
  return shape.parse(asked).loaded_context_length ?? null;
}

const listShape = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      context_length: tokens,
      context_window: tokens,
      max_model_len: tokens,
      max_context_length: tokens,
    }),
  ),
});

async function listedWindow(baseUrl: string, model: string, ask: AskServer): Promise<number | null> {
  const { data } = listShape.parse(await ask(`${baseUrl}/models`));
  const found = data.find(({ id }) => isSame(id, model));
  return (
    found?.max_model_len ??
    found?.context_length ??
    found?.context_window ??
    found?.max_context_length ??
    null
  );
}

/** Ollama adds what kind of model it is where nobody says. */
const isSame = (one: string, model: string) => one === model || one === `${model}:latest`;
