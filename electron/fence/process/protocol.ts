import { z } from "zod";

/** What Parley and the process of a conversation's fence say to each other. */

const paths = z.array(z.string());

export const fenceRequest = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("start"),
    bwrapPath: z.string().nullable(),
    socatPath: z.string().nullable(),
    /** Socat as it runs outside of a fence: it ends with the process of the fence. */
    tiedSocatPath: z.string().nullable(),
    /** The library's own files, where they can be run from; null: none, or not on this platform. */
    seccompPath: z.string().nullable(),
    javaAgentPath: z.string().nullable(),
    /** Without it sockets of the file system are not refused; they are hidden where they are known. */
    blocksSockets: z.boolean(),
    /** Addresses in CIDR form that no host may lead to. */
    deniedAddresses: paths,
    /** The system's proxy, as `http://host:port`; null: none. */
    proxy: z.string().nullable(),
  }),
  z.object({
    type: z.literal("wrap"),
    id: z.number(),
    /** Not to be guessed: what the proxies know a command by. */
    commandId: z.string(),
    command: z.string(),
    allowRead: paths,
    denyRead: paths,
    allowWrite: paths,
    denyWrite: paths,
  }),
  /** A wrapped command runs: it is ended as a whole when it goes beyond its bounds. Sizes in bytes. */
  z.object({
    type: z.literal("watch"),
    id: z.number(),
    pid: z.number(),
    maxProcesses: z.number(),
    maxMemory: z.number(),
    minFreeDisk: z.number(),
    /** Folders on the disks that it can write to. */
    disks: paths,
    /** The working folder, by which files are called. */
    folder: z.string(),
    /** It is ended as well when one of these gives way to another file. */
    held: z.array(z.object({ path: z.string(), identity: z.string() })),
  }),
  z.object({ type: z.literal("ended"), id: z.number(), commandId: z.string() }),
  z.object({ type: z.literal("answer"), id: z.number(), allowed: z.boolean(), why: z.string() }),
  z.object({ type: z.literal("quit") }),
]);
export type FenceRequest = z.infer<typeof fenceRequest>;

export const fenceAnswer = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("failed"), message: z.string() }),
  z.object({ type: z.literal("wrapped"), id: z.number(), text: z.string() }),
  z.object({ type: z.literal("refused"), id: z.number(), message: z.string() }),
  /** `lines`: what the proxies refused, as the library says it. */
  z.object({ type: z.literal("over"), id: z.number(), lines: paths }),
  /** A command went beyond its bounds, or its fence fell off a file, and it was ended. */
  z.object({ type: z.literal("beyond"), id: z.number(), why: z.string() }),
  z.object({ type: z.literal("ask"), id: z.number(), host: z.string(), port: z.number() }),
]);
export type FenceAnswer = z.infer<typeof fenceAnswer>;
