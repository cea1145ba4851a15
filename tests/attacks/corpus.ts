import type { Attack, AttackClass } from "./attack.ts";
import { deniedPaths } from "./denied-paths.ts";
import { environment } from "./environment.ts";
import { gitTricks } from "./git-tricks.ts";
import { hiddenFiles } from "./hidden-files.ts";
import { interpreters } from "./interpreters.ts";
import { leavesFolder } from "./leaves-folder.ts";
import { bounded, names } from "./names-and-bounds.ts";
import { namespaces } from "./namespaces.ts";
import { network } from "./network.ts";
import { ownFiles } from "./own-files.ts";
import { processes } from "./processes.ts";
import { proxyWords } from "./proxy-words.ts";
import { races } from "./races.ts";
import { placeRules, prefixRules, widenedRules } from "./rules.ts";
import { seemingLooks } from "./seeming-looks.ts";
import { sockets } from "./sockets.ts";
import { startupFiles } from "./startup-files.ts";

/** Everything that is tried. */
export const attackClasses: readonly AttackClass[] = [
  prefixRules,
  placeRules,
  widenedRules,
  seemingLooks,
  leavesFolder,
  deniedPaths,
  hiddenFiles,
  startupFiles,
  ownFiles,
  interpreters,
  gitTricks,
  environment,
  network,
  proxyWords,
  sockets,
  processes,
  namespaces,
  names,
  races,
  bounded,
];

export const attacks: readonly Attack[] = attackClasses.flatMap(({ attacks }) => attacks);
