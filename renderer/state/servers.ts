import type { UserError } from "../../shared/conversation/events.ts";
import type { IpcInput, IpcOutput, IpcResult, IpcRoute } from "../../shared/ipc/ipc.ts";
import type { McpAction, McpView } from "../../shared/servers/mcp.ts";
import { texts } from "../texts/texts.ts";
import { Store } from "./store.ts";

type Ask = <R extends IpcRoute>(route: R, input: IpcInput<R>) => Promise<IpcResult<IpcOutput[R]>>;

/** The MCP servers of the shown conversation, kept as they are in main, and what the window does with them. */
export class Servers {
  readonly view = new Store<McpView>({ servers: [], problems: [] });
  readonly isOpen = new Store(false);
  /** What the last action came to, in words; an error stays until another one is tried. */
  readonly outcome = new Store<UserError | string | null>(null);
  readonly #ask: Ask;
  #asked = 0;
  #conversationId: string | null = null;
  #folder: string | null = null;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Which conversation is shown, and where it works: each folder may have servers of its own. */
  showFor(conversationId: string, folder: string): void {
    if (conversationId === this.#conversationId && folder === this.#folder) return;
    this.#conversationId = conversationId;
    this.#folder = folder;
    void this.load();
  }

  /** Called after every change in main. An answer that a later one overtook is dropped. */
  load = async (): Promise<void> => {
    const conversationId = this.#conversationId;
    if (conversationId === null) return;
    const asked = ++this.#asked;
    const answer = await this.#ask("mcp.list", { conversationId });
    if (answer.ok && asked === this.#asked) this.view.set(answer.value);
  };

  open = (): void => {
    this.outcome.set(null);
    this.isOpen.set(true);
    void this.load();
  };

  close = (): void => this.isOpen.set(false);

  /** @param seen of `allow`: the fingerprint of what was shown */
  act = (server: string, action: McpAction, seen?: string): Promise<boolean> =>
    this.#do("mcp.act", { conversationId: this.#conversationId ?? "", server, action, seen }, () => null);

  switchTool = (server: string, tool: string, isOn: boolean): Promise<boolean> =>
    this.#do("mcp.tool", { conversationId: this.#conversationId ?? "", server, tool, isOn }, () => null);

  /** @returns whether it was taken: what was not must stay where it can be corrected */
  add = (text: string): Promise<boolean> =>
    this.#do("mcp.add", { text }, ({ names }) => texts.servers.added(names.join(", ")));

  import = (): Promise<boolean> =>
    this.#do(
      "mcp.import",
      undefined,
      ({ lines }) => lines.map((line) => line.replace(/^- /, "")).join("\n") || texts.servers.nothingToImport,
    );

  async #do<R extends IpcRoute>(
    route: R,
    input: IpcInput<R>,
    words: (value: IpcOutput[R]) => string | null,
  ): Promise<boolean> {
    this.outcome.set(null);
    const answer = await this.#ask(route, input);
    this.outcome.set(answer.ok ? words(answer.value) : answer.error);
    await this.load();
    return answer.ok;
  }
}

/** How many of them, and of what went wrong, the user has to do something about. */
export function needyCount({ servers, problems }: McpView): number {
  const needy = servers.filter(
    ({ state, asksForHosts, left }) =>
      asksForHosts.length > 0 ||
      left.length > 0 ||
      (state !== "ready" && state !== "starting" && state !== "stopped"),
  );
  return needy.length + problems.length;
}
