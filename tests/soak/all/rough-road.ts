import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy between Parley and the model that dies, stands still and refuses. */
export interface RoughRoad {
  url: string;
  /** All that goes over it breaks now. */
  cut(): void;
  /** What goes over it now never arrives, and nobody is told; new connections are well. */
  freeze(): void;
  /** So many further connections break as soon as they are made. */
  refuse(connections: number): void;
  close(): Promise<void>;
}

/** @param target where it leads, such as http://127.0.0.1:1234 */
export async function createRoughRoad(target: string): Promise<RoughRoad> {
  const port = Number(new URL(target).port);
  const open = new Set<[near: Socket, far: Socket]>();
  let refused = 0;
  const server = createServer((near) => {
    near.on("error", () => near.destroy());
    if (refused > 0) {
      refused--;
      near.destroy();
      return;
    }
    const far = connect(port, "127.0.0.1");
    far.on("error", () => near.destroy());
    const pair: [Socket, Socket] = [near, far];
    open.add(pair);
    near.once("close", () => {
      far.destroy();
      open.delete(pair);
    });
    far.once("close", () => near.destroy());
    near.pipe(far);
    far.pipe(near);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The proxy has no port.");
  const cut = () => {
    for (const [near] of open) near.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut,
    freeze() {
      for (const [near, far] of open) {
        near.unpipe(far);
        far.unpipe(near);
      }
    },
    refuse: (connections) => {
      refused = connections;
    },
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
