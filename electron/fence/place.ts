/** What a fence has to know of the computer, the user and Parley. All paths are absolute. */
export interface FencePlace {
  platform: NodeJS.Platform;
  /** 0 is root; null where there are no such numbers. */
  uid: number | null;
  home: string;
  /** Parley's environment, `PATH` above all. */
  env: Readonly<Record<string, string | undefined>>;
  /** Parley's program, runtime, caches and user data: never written to and, but for system folders, never read. */
  own: readonly string[];
  /** Where tools keep caches of their own, a folder for each working folder. */
  cachesFolder: string;
  /** For temporary folders and sockets. */
  temporaryFolder: string;
  ripgrepPath: string;
  /** Whether a path holds keys by its name; relative to the working folder. */
  isSecret(path: string): boolean;
  /** Whether a file decides what runs elsewhere; relative to the working folder. */
  isProtected(path: string): boolean;
}

/** What the settings say of it, as they are now. */
export interface FenceSettings {
  /** Folders of the user's choice that may be read besides. */
  readable: readonly string[];
  maxProcesses: number;
  /** Of all that a command runs and keeps in memory; 0: half of the computer's. */
  maxMemoryMb: number;
  /** What a command must leave free of a disk. */
  minFreeDiskMb: number;
  /** Names of folders that can be made again, and are not looked into. */
  remade: readonly string[];
  /** Whether hosts on this computer and in private networks may be asked for. */
  privateHosts: boolean;
}
