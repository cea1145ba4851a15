import { type IpcMainInvokeEvent, ipcMain } from "electron";
import { ipcChannel } from "../../../shared/ipc-channel.ts";

/** Answers one call of a page. @param args what it sent: nothing in it is known to be as it should */
export type AnswerCall = (event: IpcMainInvokeEvent, args: readonly unknown[]) => Promise<unknown>;

/**
 * Takes the calls of pages from now on, before there is anybody to answer: they wait, in their order.
 * @returns to be told once who answers
 */
export function takeCalls(): (answer: AnswerCall) => void {
  let begin: (answer: AnswerCall) => void = () => {};
  const answering = new Promise<AnswerCall>((resolve) => {
    begin = resolve;
  });
  ipcMain.handle(ipcChannel.call, async (event, ...args) => {
    const answer = await answering;
    return await answer(event, args);
  });
  return begin;
}
