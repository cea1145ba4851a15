import type { UserError } from "../../shared/conversation/events.ts";
import type { IpcInput, IpcOutput, IpcResult, IpcRoute, ParleyBridge } from "../../shared/ipc/ipc.ts";
import { texts } from "../texts/texts.ts";

/**
 * Calls a route and never throws: a bridge that rejects (main is quitting, a reply that cannot be cloned) becomes
 * an error in words, so that no caller can forget about it.
 */
export async function call<R extends IpcRoute>(
  bridge: ParleyBridge,
  route: R,
  input: IpcInput<R>,
): Promise<IpcResult<IpcOutput[R]>> {
  try {
    return await bridge.call(route, input);
  } catch (error) {
    return { ok: false, error: unanswered(error) };
  }
}

function unanswered(error: unknown): UserError {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: "no_answer",
    message: texts.common.parleyDidNotAnswer(reason),
    hint: texts.common.parleyDidNotAnswerHint,
  };
}
