import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { _electron } from "playwright";
import { root } from "./setup/run.mjs";

// Draws resources/icons/, the app's icon in the sizes that desktops ask for, from resources/icon.svg. Needs a display; run it
// after a change of the drawing.

const sizes = [16, 24, 32, 48, 64, 128, 256, 512];
const target = join(root, "resources/icons");
const svg = await readFile(join(root, "resources/icon.svg"), "base64");

const folder = await mkdtemp(join(tmpdir(), "parley-icons-"));
await writeFile(join(folder, "package.json"), '{"name":"icons","main":"main.cjs"}');
await writeFile(join(folder, "main.cjs"), "");
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const app = await _electron.launch({ args: [...sandbox, `--user-data-dir=${folder}`, folder] });
try {
  const drawn = await app.evaluate(
    async ({ app, BrowserWindow }, wanted) => {
      await app.whenReady();
      const window = new BrowserWindow({ show: false });
      await window.loadURL("data:text/html,<title>icons</title>");
      const draw = async ({ svg, sizes }) => {
        const image = new Image();
        image.src = `data:image/svg+xml;base64,${svg}`;
        await image.decode();
        return sizes.map((size) => {
          const canvas = Object.assign(document.createElement("canvas"), { width: size, height: size });
          canvas.getContext("2d").drawImage(image, 0, 0, size, size);
          return canvas.toDataURL("image/png").split(",")[1];
        });
      };
      return await window.webContents.executeJavaScript(`(${draw})(${JSON.stringify(wanted)})`);
    },
    { svg, sizes },
  );
  await mkdir(target, { recursive: true });
  for (const [at, size] of sizes.entries()) {
    await writeFile(join(target, `${size}x${size}.png`), Buffer.from(drawn[at], "base64"));
  }
} finally {
  await app.close();
  await rm(folder, { recursive: true, force: true });
}
