import { z } from "zod";

/** Bounds of one fenced command, with all that it starts: it is ended as a whole when it goes beyond one. */
export const fenceLimitsShape = {
  "fence.maxProcesses": z.number().int().min(16).max(100_000).default(512),
  /** Megabytes that its processes hold and keep in files in memory; 0: half of the computer's. */
  "fence.maxMemoryMb": z.number().int().min(0).default(0),
  /** Megabytes of a disk that it must leave free; of a fuller disk, half of what is free. */
  "fence.minFreeDiskMb": z.number().int().min(0).default(500),
} as const;
