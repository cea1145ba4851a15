import type { Settings } from "../../../shared/settings.ts";

/** How much of a folder is kept before a call that may change anything in it. */
export interface Limits {
  /** Files and links; as many folders beside them. */
  maxFiles: number;
  /** Of all files together. */
  maxBytes: number;
  /** Of one file; a larger one is saved beside the database. */
  maxFileBytes: number;
  /** Of all files that are saved beside the database, whoever's they are; 0 = none is. */
  maxLargeBytes: number;
  /** What of the disk they leave free. */
  minFreeBytes: number;
  /** Names of folders that are not looked into. */
  ignore: readonly string[];
}

const megabyte = 1_000_000;

export function limitsOf(settings: Settings): Limits {
  return {
    maxFiles: settings.checkpointMaxFiles,
    maxBytes: settings.checkpointMaxMb * megabyte,
    maxFileBytes: settings.checkpointMaxFileMb * megabyte,
    maxLargeBytes: settings.checkpointLargeMb * megabyte,
    minFreeBytes: settings.checkpointFreeMb * megabyte,
    // History is no folder that can be made again, whatever an older list says.
    ignore: settings.checkpointIgnore.filter((name) => name !== ".git"),
  };
}

export const megabytes = (bytes: number) => `${Number((bytes / megabyte).toPrecision(3))} MB`;
export const tooLarge = (size: number, { maxFileBytes }: Pick<Limits, "maxFileBytes">) =>
  `it has ${megabytes(size)}; up to ${megabytes(maxFileBytes)} of a file are kept (checkpointMaxFileMb)`;
