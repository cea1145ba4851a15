import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { _electron } from "playwright";
import { root } from "./setup/run.mjs";
import { contactSheet } from "./tray-icons/contact-sheet.mjs";
import { states, trayIcon } from "./tray-icons/shapes.mjs";

// Draws resources/tray/ and the picture of all its icons, docs/tray-icons.png. Needs a display; run it after a change
// of scripts/tray-icons/.

const target = join(root, "resources/tray");
const variants = states.flatMap((state) => [false, true].map((isWaiting) => ({ state, isWaiting })));
const nameOf = ({ state, isWaiting }) => (isWaiting ? `${state}-waiting` : state);

/** Every file: its path below the folder, its drawing, its pixels. */
const files = [
  ...[16, 22, 32].flatMap((size) =>
    variants.flatMap((variant) => {
      const svg = trayIcon({ ...variant, size, isTemplate: false });
      const path = `${size}/${nameOf(variant)}`;
      return [
        { path: `${path}.png`, svg, px: size },
        { path: `${path}@2x.png`, svg, px: size * 2 },
      ];
    }),
  ),
  // By this ending macOS knows that it may choose the colour.
  ...variants.flatMap((variant) => {
    const svg = trayIcon({ ...variant, size: 16, isTemplate: true });
    const path = `mac/${nameOf(variant)}Template`;
    return [
      { path: `${path}.png`, svg, px: 16 },
      { path: `${path}@2x.png`, svg, px: 32 },
    ];
  }),
];

const folder = await mkdtemp(join(tmpdir(), "parley-icons-"));
await writeFile(join(folder, "package.json"), '{"name":"icons","main":"main.cjs"}');
await writeFile(join(folder, "main.cjs"), "");
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const app = await _electron.launch({ args: [...sandbox, `--user-data-dir=${folder}`, folder] });
try {
  const sheet = contactSheet(files);
  const drawn = await app.evaluate(
    async ({ app, BrowserWindow }, wanted) => {
      await app.whenReady();
      const window = new BrowserWindow({ show: false });
      await window.loadURL("data:text/html,<title>icons</title>");
      const draw = async (list) => {
        const pngs = [];
        for (const { svg, width, height } of list) {
          const image = new Image();
          image.src = `data:image/svg+xml;base64,${btoa(svg)}`;
          await image.decode();
          const canvas = Object.assign(document.createElement("canvas"), { width, height });
          canvas.getContext("2d").drawImage(image, 0, 0, width, height);
          pngs.push(canvas.toDataURL("image/png").split(",")[1]);
        }
        return pngs;
      };
      return await window.webContents.executeJavaScript(`(${draw})(${JSON.stringify(wanted)})`);
    },
    files.map(({ svg, px }) => ({ svg, width: px, height: px })),
  );
  await rm(target, { recursive: true, force: true });
  for (const [index, { path }] of files.entries()) {
    await mkdir(join(target, path, ".."), { recursive: true });
    await writeFile(join(target, path), Buffer.from(drawn[index], "base64"));
  }
  const picture = await app.evaluate(
    async ({ BrowserWindow }, { html, width, height }) => {
      const window = new BrowserWindow({ show: false, frame: false, enableLargerThanScreen: true });
      window.setContentSize(width, height);
      await window.loadURL(`data:text/html;base64,${html}`);
      return (await window.webContents.capturePage()).toPNG().toString("base64");
    },
    { ...sheet, html: Buffer.from(sheet.html(drawn)).toString("base64") },
  );
  await writeFile(join(root, "docs/tray-icons.png"), Buffer.from(picture, "base64"));
} finally {
  await app.close();
  await rm(folder, { recursive: true, force: true });
}
