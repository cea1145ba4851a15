import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  listModelsResult,
  modelArguments,
  modelResult,
  type SttModel,
  sttTool,
  triedModel,
} from "../../../shared/voice/stt.ts";
import { answer } from "../answer.ts";
import type { ModelManager } from "./model-manager.ts";
import type { OfferedModel } from "./tried-models.ts";

/** The tools for models that are downloaded only when somebody asks for one. */
export function registerModelTools(server: McpServer, manager: ModelManager): void {
  server.registerTool(
    sttTool.listModels,
    {
      description:
        "Speech models that can be downloaded, and how each stands. Poll it while one is downloading.",
      outputSchema: listModelsResult,
      annotations: { readOnlyHint: true },
    },
    () =>
      answer(async () => {
        if (manager.problem) throw manager.problem;
        return { models: await Promise.all(manager.catalogue.map((model) => described(manager, model))) };
      }),
  );
  server.registerTool(
    sttTool.downloadModel,
    {
      description:
        "Begins to download a speech model, or goes on where it stopped, and answers at once: see stt_list_models.",
      inputSchema: modelArguments,
      outputSchema: modelResult,
      annotations: { idempotentHint: true, openWorldHint: true },
    },
    ({ model }) =>
      answer(async () => {
        await manager.state(model);
        // A failure is part of the model's state, which stt_list_models tells.
        manager.download(model).catch(() => undefined);
        return { model: await stateOf(manager, model) };
      }),
  );
  server.registerTool(
    sttTool.pauseDownload,
    {
      description:
        "Ends the download of a speech model. What has arrived is kept: stt_download_model goes on with it.",
      inputSchema: modelArguments,
      outputSchema: modelResult,
      annotations: { idempotentHint: true },
    },
    ({ model }) =>
      answer(async () => {
        await manager.pause(model);
        return { model: await stateOf(manager, model) };
      }),
  );
  server.registerTool(
    sttTool.deleteModel,
    {
      description:
        "Takes a downloaded speech model off the disk, or ends its download and what there is of it.",
      inputSchema: modelArguments,
      outputSchema: modelResult,
      annotations: { idempotentHint: true, destructiveHint: true },
    },
    ({ model }) =>
      answer(async () => {
        await manager.delete(model);
        return { model: await stateOf(manager, model) };
      }),
  );
}

async function stateOf(manager: ModelManager, id: string): Promise<SttModel> {
  const model = manager.catalogue.find((one) => one.id === id);
  if (!model) throw new Error(`No model ${id}.`);
  return described(manager, model);
}

async function described(manager: ModelManager, model: OfferedModel): Promise<SttModel> {
  const { id, name, kind, languages, licence, page, bytes, recommended, tried, speakers } = model;
  const state = await manager.state(id);
  return {
    ...{ id, name, kind, languages, licence, page, bytes, state: state.state },
    ...(speakers === undefined ? {} : { speakers }),
    tried: tried ? triedModel.parse(tried) : null,
    ...(recommended && (tried?.problem ?? null) === null ? { recommended } : {}),
    ...("done" in state ? { done_bytes: state.done } : {}),
    ...(state.state === "failed" ? { message: state.message } : {}),
    ...(state.state === "installed" ? { folder: state.folder } : {}),
  };
}
