import { createHash } from "node:crypto";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { root, run } from "../setup/run.mjs";
import { SetUpError } from "../setup/say.mjs";
import { onPath } from "../setup/system-libraries.mjs";
import { debDepends } from "./deb-depends.mjs";
import { sizeOf } from "./sizes.mjs";

/** Debian has a vocabulary trainer called `parley`: under that name, an upgrade would put it in our place. */
export const debName = "parley-assistant";

const architectures = { x64: "amd64", arm64: "arm64" };
const resources = join(root, "resources");

/** Where in the package the app is. Its profile for AppArmor names the same place. */
const home = "opt/Parley";

/**
 * Makes a .deb of an app folder with dpkg-deb, without a network.
 * @param options.app the folder
 * @param options.version as package.json says it; what comes behind a `-` is older than the release
 * @param options.isFast does not compress
 * @returns the file
 */
export async function makeDeb({ app, version, output, isFast = false, arch = process.arch }) {
  if (!onPath("dpkg-deb")) throw new SetUpError("A .deb is made with dpkg-deb, which is not here.");
  const architecture = architectures[arch];
  if (!architecture) throw new SetUpError(`Debian has no name for ${arch} here.`);
  const file = join(output, `${debName}_${version}_${architecture}.deb`);
  const stage = await mkdtemp(join(output, ".deb-"));
  try {
    await stageFiles(app, stage);
    await stageControl(app, stage, { version: version.replace("-", "~"), architecture });
    await makeReadable(stage);
    const compression = isFast ? ["-Znone"] : ["-Zxz"];
    const args = ["--root-owner-group", ...compression, "--build", stage, file];
    const { code, output: said } = await run("dpkg-deb", args, { quiet: true });
    if (code !== 0) throw new SetUpError(`dpkg-deb could not make the package: ${said.trim()}`);
    return file;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function stageFiles(app, stage) {
  const at = async (path) => {
    const file = join(stage, path);
    await mkdir(dirname(file), { recursive: true });
    return file;
  };
  await cp(app, await at(home), { recursive: true, verbatimSymlinks: true });
  // By this the updater knows what it is to fetch.
  await writeFile(join(stage, home, "resources/package-type"), "deb");
  await cp(join(resources, "debian/apparmor-profile"), await at(join(home, "resources/apparmor-profile")));
  await symlink(`../../${home}/resources/bin/parley`, await at("usr/bin/parley"));
  await cp(join(resources, "debian/parley.desktop"), await at("usr/share/applications/parley.desktop"));
  const icons = "usr/share/icons/hicolor";
  for (const name of await readdir(join(resources, "icons"))) {
    const size = name.replace(".png", "");
    await cp(join(resources, "icons", name), await at(`${icons}/${size}/apps/parley.png`));
  }
  await cp(join(resources, "icon.svg"), await at(`${icons}/scalable/apps/parley.svg`));
  const own = await readFile(join(root, "LICENSE"), "utf8");
  const others = `The packages in it, and their licences: /${home}/resources/third-party-licences.txt. Electron and Chromium: /${home}/LICENSE.electron.txt and /${home}/LICENSES.chromium.html.`;
  await writeFile(await at(`usr/share/doc/${debName}/copyright`), `${own}\n${others}\n`);
}

async function stageControl(app, stage, { version, architecture }) {
  const files = (await readdir(stage, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  const sums = [];
  for (const path of paths) {
    const sum = createHash("md5")
      .update(await readFile(path))
      .digest("hex");
    sums.push(`${sum}  ${relative(stage, path)}\n`);
  }
  const { description, homepage } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const fields = {
    Package: debName,
    Version: version,
    Architecture: architecture,
    Maintainer: "The Parley authors <parley@localhost>",
    "Installed-Size": String(Math.ceil((await sizeOf(stage)) / 1024)),
    Section: "utils",
    Priority: "optional",
    ...(homepage && { Homepage: homepage }),
    Depends: (await debDepends(app)).join(", "),
    Recommends: "bubblewrap, socat",
    // Both have /usr/bin/parley.
    Conflicts: "parley",
    Description: `voice assistant that works with files and commands\n ${description}`,
  };
  const control = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  await mkdir(join(stage, "DEBIAN"));
  await writeFile(join(stage, "DEBIAN/control"), control.join(""));
  await writeFile(join(stage, "DEBIAN/md5sums"), sums.join(""));
  for (const script of ["postinst", "prerm", "postrm"]) {
    await cp(join(resources, "debian", script), join(stage, "DEBIAN", script));
    await chmod(join(stage, "DEBIAN", script), 0o755);
  }
}

/** Whatever the umask was here: everybody may read it, and its owner alone write it. */
async function makeReadable(stage) {
  const { code, output } = await run("chmod", ["-R", "u=rwX,go=rX", stage], { quiet: true });
  if (code !== 0) throw new SetUpError(`The package's files could not be made readable: ${output.trim()}`);
}
