import type { z } from "zod";
import type { userError } from "../conversation/events.ts";
import { attachmentRoutes } from "./attachment-routes.ts";
import { checkpointRoutes } from "./checkpoint-routes.ts";
import { conversationRoutes } from "./conversation-routes.ts";
import { mcpRoutes } from "./mcp-routes.ts";
import { modelRoutes } from "./model-routes.ts";
import { permissionRoutes } from "./permission-routes.ts";
import type { IpcPush } from "./push.ts";
import { settingRoutes } from "./setting-routes.ts";
import { voiceRoutes } from "./voice-routes.ts";
import { windowRoutes } from "./window-routes.ts";

/**
 * Everything that crosses between a window and the main process: one channel for calls, one for pushes.
 * The main process checks the sender and parses the arguments of every call; a route that is missing here
 * cannot be called, and one without a handler does not type-check.
 */

/** Each route once: what it takes, and what it answers. Handlers, bridge and windows are typed by this list. */
export const ipcRoutes = {
  ...settingRoutes,
  ...conversationRoutes,
  ...checkpointRoutes,
  ...attachmentRoutes,
  ...permissionRoutes,
  ...modelRoutes,
  ...voiceRoutes,
  ...windowRoutes,
  ...mcpRoutes,
} as const;

export type IpcRoute = keyof typeof ipcRoutes;
export type IpcInput<R extends IpcRoute> = z.infer<(typeof ipcRoutes)[R]["input"]>;

/** What a route answers. */
export type IpcOutput = {
  [R in IpcRoute]: (typeof ipcRoutes)[R] extends { answer?: infer Answer } ? Answer : unknown;
};

export type IpcResult<T> = { ok: true; value: T } | { ok: false; error: z.infer<typeof userError> };

/** The one object that the preload exposes, as `window.parley`. */
export interface ParleyBridge {
  /** Calls a route. Never rejects for a failure of the app's: that is an `IpcResult` with `ok: false`. */
  call<R extends IpcRoute>(route: R, input: IpcInput<R>): Promise<IpcResult<IpcOutput[R]>>;
  /** @returns a function that ends the subscription */
  onPush(listener: (push: IpcPush) => void): () => void;
}
