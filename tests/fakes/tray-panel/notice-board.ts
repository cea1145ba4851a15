import { EventEmitter } from "node:events";
import { createClient } from "@homebridge/dbus-native";
import { startPrivateBus } from "./private-bus.ts";

export interface ShownNotice {
  id: number;
  title: string;
  body: string;
  /** Labels of its buttons; a click on the notice itself is none of them. */
  buttons: string[];
}

/**
 * A desktop's notification service on a bus of its own: it keeps what programs want shown, and clicks as a user would.
 * Source: freedesktop.org's Desktop Notifications Specification 1.2.
 */
export interface NoticeBoard {
  /** `DBUS_SESSION_BUS_ADDRESS` for the program whose notices are to be shown. */
  address: string;
  /** What is shown now, oldest first. */
  shown(): ShownNotice[];
  /** A click on the notice itself, or on the button of that label. @throws Error where that is not shown */
  click(id: number, button?: string): void;
  dispose(): Promise<void>;
}

const face = "org.freedesktop.Notifications";

export async function startNoticeBoard(): Promise<NoticeBoard> {
  const { address, dispose } = await startPrivateBus();
  const bus = createClient({ busAddress: address });
  const service = new Service();
  bus.exportInterface(service, "/org/freedesktop/Notifications", {
    name: face,
    methods: {
      GetCapabilities: ["", "as"],
      GetServerInformation: ["", "ssss"],
      Notify: ["susssasa{sv}i", "u"],
      CloseNotification: ["u", ""],
    },
    properties: {},
    signals: { NotificationClosed: ["uu"], ActionInvoked: ["us"] },
  });
  await new Promise((resolve, reject) =>
    bus.requestName(face, 0, (error, result) => (error ? reject(error) : resolve(result))),
  );
  return {
    address,
    shown: () => [...service.shown.values()].map(({ actions: _, ...notice }) => notice),
    click: (id, button) => service.click(id, button),
    async dispose() {
      bus.connection.end();
      await dispose();
    },
  };
}

const closedByClick = 2;
const closedByProgram = 3;

/** Its methods' names are the protocol's. */
class Service extends EventEmitter {
  /** `actions`: key by label. */
  readonly shown = new Map<number, ShownNotice & { actions: Map<string, string> }>();
  #lastId = 0;

  GetCapabilities(): string[] {
    return ["actions", "body"];
  }

  GetServerInformation(): string[] {
    return ["notice-board", "tests", "1", "1.2"];
  }

  Notify(
    _app: string,
    replaces: number,
    _icon: string,
    title: string,
    body: string,
    pairs: string[],
  ): number {
    const id = replaces > 0 ? replaces : ++this.#lastId;
    const actions = new Map<string, string>();
    for (let at = 0; at + 1 < pairs.length; at += 2) actions.set(pairs[at + 1] ?? "", pairs[at] ?? "");
    const buttons = [...actions].flatMap(([label, key]) => (key === "default" ? [] : [label]));
    this.shown.set(id, { id, title, body, buttons, actions });
    return id;
  }

  CloseNotification(id: number): void {
    if (this.shown.delete(id)) this.emit("NotificationClosed", id, closedByProgram);
  }

  click(id: number, button?: string): void {
    const notice = this.shown.get(id);
    const key = button === undefined ? "default" : notice?.actions.get(button);
    if (!notice || key === undefined) throw new Error(`There is no ${button ?? "notice"} to click on.`);
    this.emit("ActionInvoked", id, key);
    this.shown.delete(id);
    this.emit("NotificationClosed", id, closedByClick);
  }
}
