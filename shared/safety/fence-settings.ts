import { z } from "zod";

/**
 * The fence around commands. The bounds count for one command with all that it starts, which is ended as a whole when it
 * goes beyond one.
 */
export const fenceSettingsShape = {
  /** `off`: commands run without a fence, and every one asks that no exact rule allows. */
  fence: z.enum(["on", "off"]).default("on"),
  /** Folders that fenced commands may read besides the working folder, the system and tool chains; absolute, or from `~/`. */
  "fence.readable": z.array(z.string().trim().min(1).max(4096)).max(200).default([]),
  /** Processes of one command; beyond this it is ended with all that it started. */
  "fence.maxProcesses": z.number().int().min(16).max(100_000).default(512),
  /** Megabytes that its processes hold and keep in files in memory; 0 = half of the computer's. */
  "fence.maxMemoryMb": z.number().int().min(0).default(0),
  /** Megabytes of a disk that it must leave free; of a fuller disk, half of what is free. */
  "fence.minFreeDiskMb": z.number().int().min(0).default(500),
} as const;
