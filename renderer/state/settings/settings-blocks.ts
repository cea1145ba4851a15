import { checkTitle } from "../../../shared/doctor.ts";
import { makerNames } from "../../../shared/safety/key-test.ts";
import type { SettingKey } from "../../../shared/settings.ts";
import {
  type SettingSection,
  settingGroups,
  settingSections,
} from "../../../shared/settings-texts/groups.ts";
import { texts } from "../../texts/texts.ts";

const t = texts.settingsPage;

export type PartName = "keys" | "voice" | "trust" | "servers" | "data" | "versions" | "help" | "licences";

interface PartRow {
  title: string;
  /** Looked for, too. */
  about?: string;
}

/** What stands under one heading: settings, or the rows of a part that is none. */
export type SettingBlock = { section: SettingSection; title: string } & (
  | { keys: readonly SettingKey[] }
  | { part: PartName; rows: readonly PartRow[] }
);

/** What the sections have beside the settings of the schema. */
const parts: readonly Extract<SettingBlock, { part: PartName }>[] = [
  {
    part: "keys",
    section: "models",
    title: t.keys.title,
    rows: [
      ...Object.values(makerNames).map((title) => ({ title, about: t.keys.add })),
      { title: t.localServers.title, about: texts.setUp.model.server },
    ],
  },
  {
    part: "voice",
    section: "voice",
    title: t.voice.parts,
    rows: [
      { title: texts.voicePanel.models.title },
      { title: texts.voicePanel.words.title, about: texts.voicePanel.words.hint },
    ],
  },
  { part: "trust", section: "permissions", title: t.trust.title, rows: [] },
  {
    part: "servers",
    section: "servers",
    title: t.sections.servers.name,
    rows: [{ title: texts.servers.addServer, about: texts.servers.importTitle }],
  },
  {
    part: "data",
    section: "data",
    title: t.data.title,
    rows: [
      { title: t.data.where, about: Object.values(t.data.kinds).join(", ") },
      { title: t.data.exportTitle, about: t.data.exportAbout },
      { title: t.data.backUpTitle, about: t.data.backUpAbout },
      { title: t.data.restoreTitle, about: t.data.restoreAbout },
      { title: t.data.deleteTitle, about: t.data.deleteAbout },
    ],
  },
  {
    part: "versions",
    section: "about",
    title: t.about.versions,
    rows: [
      { title: t.about.parley, about: [t.about.electron, t.about.chromium, t.about.node].join(", ") },
      { title: t.about.log },
    ],
  },
  {
    part: "help",
    section: "about",
    title: t.about.help,
    rows: [
      { title: texts.setUp.title, about: texts.setUp.microphone.title },
      { title: texts.setUp.doctor.title, about: Object.values(checkTitle).join(", ") },
    ],
  },
  { part: "licences", section: "about", title: t.about.licences, rows: [] },
];

/** Above the group of which setting a part stands; the others end their section. */
const above: Readonly<Partial<Record<PartName, SettingKey>>> = {
  keys: "anthropicBaseUrl",
  servers: "mcpServers",
  data: "memoryEnabled",
};

/** All of the page, in its order. */
export const settingBlocks: readonly SettingBlock[] = settingSections.flatMap((section) => {
  const own = parts.filter((one) => one.section === section);
  const groups = settingGroups.flatMap(({ section: of, keys }, place): SettingBlock[] => {
    if (of !== section) return [];
    const before = own.filter(({ part }) => keys.some((key) => key === above[part]));
    return [...before, { section, title: t.groups[place] ?? "", keys }];
  });
  return [...groups, ...own.filter(({ part }) => above[part] === undefined)];
});

/** What has the words in its title, its help or its key; all of a part where its heading has them. */
export function foundBlocks(words: string): { blocks: SettingBlock[]; count: number } {
  const wanted = words.trim().toLowerCase();
  const has = (...said: readonly string[]) => said.some((text) => text.toLowerCase().includes(wanted));
  let count = 0;
  const blocks = settingBlocks.flatMap((block): SettingBlock[] => {
    if ("keys" in block) {
      const keys = block.keys.filter((key) => {
        const { title, help, short = "" } = t.of[key];
        return has(key, title, help, short);
      });
      count += keys.length;
      return keys.length > 0 ? [{ ...block, keys }] : [];
    }
    const isMeant = has(block.title);
    const rows = block.rows.filter(({ title, about = "" }) => isMeant || has(title, about));
    if (!isMeant && rows.length === 0) return [];
    count += Math.max(1, rows.length);
    return [{ ...block, rows }];
  });
  return { blocks, count };
}
