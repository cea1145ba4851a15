import { ipcMain, type WebContents, type WebFrameMain } from "electron";
import { z } from "zod";
import type { UserError } from "../../../shared/conversation/events.ts";
import {
  type IpcInput,
  type IpcOutput,
  type IpcResult,
  type IpcRoute,
  ipcRoutes,
} from "../../../shared/ipc/ipc.ts";
import { appOrigin } from "../shell/app-protocol.ts";
import type { AnswerCall } from "./waiting-calls.ts";

export type IpcHandlers = {
  [R in IpcRoute]: (input: IpcInput<R>, sender: WebContents) => IpcOutput[R] | Promise<IpcOutput[R]>;
};

const callSchema = z.tuple([z.string(), z.unknown()]);

/**
 * Answers the windows' calls: the sender must be a page of ours in its own main frame, the route must exist,
 * its input must parse. Every failure is an answer, never an exception in the page.
 */
export function handleCalls(
  handlers: IpcHandlers,
  onError: (route: string, error: unknown) => void,
): AnswerCall {
  // electron-store answers any page that asks where its files are; no page of ours asks.
  ipcMain.removeAllListeners("electron-store-get-data");
  return async (event, args): Promise<IpcResult<unknown>> => {
    if (!isOurPage(event.senderFrame)) {
      return refusal("forbidden_sender", "This page may not call Parley.");
    }
    const call = callSchema.safeParse(args);
    const route = call.success ? call.data[0] : "";
    if (!call.success || !isRoute(route)) return refusal("unknown_route", `There is no route “${route}”.`);
    try {
      return await answer(handlers, route, call.data[1], event.sender);
    } catch (error) {
      onError(route, error);
      return { ok: false, error: asUserError(error) };
    }
  };
}

async function answer<R extends IpcRoute>(
  handlers: IpcHandlers,
  route: R,
  input: unknown,
  sender: WebContents,
): Promise<IpcResult<IpcOutput[R]>> {
  const schema: z.ZodType<unknown> = ipcRoutes[route].input;
  const parsed = schema.safeParse(input);
  if (!parsed.success) return refusal("invalid_input", `${route}: ${z.prettifyError(parsed.error)}`);
  // Parsed by this route's own schema one line above, which the compiler cannot follow through the table.
  const value = await handlers[route](parsed.data as IpcInput<R>, sender);
  return { ok: true, value };
}

const isRoute = (route: string): route is IpcRoute => Object.hasOwn(ipcRoutes, route);

/** The audio page has no calls to make. */
function isOurPage(frame: WebFrameMain | null): boolean {
  if (!frame || frame.parent !== null) return false;
  return frame.url.startsWith(`${appOrigin}/main/`) || frame.url.startsWith(`${appOrigin}/quick/`);
}

const refusal = (code: string, message: string): { ok: false; error: UserError } => ({
  ok: false,
  error: { code, message },
});

function asUserError(error: unknown): UserError {
  return { code: "failed", message: error instanceof Error ? error.message : String(error) };
}
