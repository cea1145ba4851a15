import type { fenceSettingsShape } from "../safety/fence-settings.ts";
import type { SettingText } from "./text.ts";

export const fenceTexts: Readonly<Record<keyof typeof fenceSettingsShape, SettingText>> = {
  fence: {
    title: "Fence around commands",
    short: "Off: each command asks, unless a rule allows exactly that one.",
    help: "`off`: commands run without a fence, and each one asks unless an exact rule allows it.",
  },
  "fence.readable": {
    title: "Other folders commands may read",
    short: "Besides the working folder, the system and tool chains.",
    help: "Folders that fenced commands may read besides the working folder, the system and tool chains. Absolute, or starting with `~/`.",
  },
  "fence.maxProcesses": {
    title: "Processes of one command",
    help: "A command that starts more processes than this is ended, with everything it started.",
  },
  "fence.maxMemoryMb": {
    title: "Memory of one command",
    help: "Memory that its processes and its files in memory may take; 0 = half of the computer's.",
    unit: "MB",
  },
  "fence.minFreeDiskMb": {
    title: "Disk space a command must leave free",
    help: "Or half of the free space, if that is less.",
    unit: "MB",
  },
};
