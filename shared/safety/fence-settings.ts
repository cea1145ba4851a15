import { z } from "zod";

/**
 * The fence around commands. The bounds count for one command with all that it starts, which is ended as a whole when it
 * goes beyond one.
 */
export const fenceSettingsShape = {
  fence: z.enum(["on", "off"]).default("on"),
  "fence.readable": z.array(z.string().trim().min(1).max(4096)).max(200).default([]),
  "fence.maxProcesses": z.number().int().min(16).max(100_000).default(512),
  "fence.maxMemoryMb": z.number().int().min(0).default(0),
  "fence.minFreeDiskMb": z.number().int().min(0).default(500),
} as const;
