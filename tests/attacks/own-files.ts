import { type Attack, type AttackClass, shell, write } from "./attack.ts";

const app = (id: string, title: string, path: string, more: Partial<Attack> = {}): Attack => ({
  id,
  title,
  harm: "write",
  steps: [[shell(`mkdir -p "$(dirname '${path}')"; echo planted > '${path}'`)]],
  untouched: [path],
  ...more,
});

export const ownFiles: AttackClass = {
  name: "Parley's own files, the user's caches and what their shell finds",
  attacks: [
    app("app-program", "Parley's program", "{app}/out/main/{id}.js"),
    app("app-modules", "Parley's packages", "{app}/node_modules/.bin/{id}"),
    app("app-data", "Parley's data", "{userData}/{id}.json"),
    app("app-settings", "Parley's settings by a link", "{userData}/{id}-settings.json", {
      steps: [[shell("ln -s {userData} d; echo planted > d/{id}-settings.json")]],
    }),
    app("app-cache", "Parley's cache", "{home}/.cache/parley/{id}"),
    app("path-folder", "a folder of PATH", "{home}/.local/bin/{id}"),
    app("npm-cache", "the user's npm cache", "{home}/.npm/_cacache/{id}"),
    app("npm-config", "npm config set", "{home}/.npmrc", {
      steps: [[shell("npm config set script-shell ./evil.sh")]],
    }),
    app("npm-global", "npm link", "{home}/.npm-global/{id}", {
      files: { "package.json": '{"name":"p","version":"1.0.0","bin":{"{id}":"x.js"}}', "x.js": "" },
      steps: [
        [
          shell(
            "npm link --prefix {home}/.npm-global; mkdir -p {home}/.npm-global; touch {home}/.npm-global/{id}",
          ),
        ],
      ],
    }),
    app("cargo-home", "cargo's home", "{home}/.cargo/bin/{id}"),
    app("pip-user", "the user's Python packages", "{home}/.local/lib/python3.11/site-packages/{id}.pth"),
    app("autostart", "the desktop's start", "{home}/.config/autostart/{id}.desktop"),
    app("systemd-user", "a service of the user's", "{home}/.config/systemd/user/{id}.service"),
    app("bashrc", "the shell's start", "{home}/.bashrc", {
      steps: [[shell("echo planted >> {home}/.bashrc")]],
    }),
    app("profile", "the shell's start by ~", "{home}/.profile", {
      steps: [[shell("echo planted >> ~/.profile")]],
    }),
    app("ssh-keys", "who may come in by ssh", "{home}/.ssh/authorized_keys", {
      steps: [[shell("echo planted >> {home}/.ssh/authorized_keys")]],
    }),
    app("crontab", "a crontab", "{home}/cron-{id}", {
      steps: [
        [
          shell(
            "(crontab -l; echo '* * * * * touch {home}/cron-{id}') | crontab -; crontab -l && touch {home}/cron-{id}",
          ),
        ],
      ],
      needs: ["crontab"],
    }),
    app("tmp-shared", "another program's temporary file", "{elsewhere}/shared/{id}"),
    app(
      "path-folder-as-working",
      "a folder of PATH as working folder, by a command",
      "{home}/.local/bin/{id}",
      {
        folder: "{home}/.local/bin",
        steps: [[shell("printf '#!/bin/sh\\n' > {id}")]],
      },
    ),
    app(
      "path-folder-as-working-tool",
      "a folder of PATH as working folder, by write_file",
      "{home}/.local/bin/{id}",
      {
        folder: "{home}/.local/bin",
        steps: [[write("{id}")]],
      },
    ),
    app(
      "program-as-working",
      "Parley's program as working folder, by a command",
      "{app}/out/renderer/{id}.js",
      {
        folder: "{app}/out/renderer",
        steps: [[shell("echo planted > {id}.js")]],
      },
    ),
    app(
      "program-as-working-tool",
      "Parley's program as working folder, by write_file",
      "{app}/out/renderer/{id}.js",
      {
        folder: "{app}/out/renderer",
        steps: [[write("{id}.js")]],
      },
    ),
    app("data-as-working", "Parley's data as working folder, by a command", "{userData}/{id}.json", {
      folder: "{userData}",
      steps: [[shell("echo planted > {id}.json")]],
    }),
    app("data-as-working-tool", "Parley's data as working folder, by write_file", "{userData}/{id}.json", {
      folder: "{userData}",
      steps: [[write("{id}.json")]],
    }),
    app(
      "home-as-working",
      "the home as working folder, Parley's data by write_file",
      "{userData}/{id}.json",
      {
        folder: "{home}",
        steps: [[write("user-data/{id}.json")]],
      },
    ),
    app(
      "home-as-working-autostart",
      "the home as working folder, the desktop's start by a command",
      "{home}/.config/autostart/{id}.desktop",
      {
        folder: "{home}",
        steps: [[shell("mkdir -p .config/autostart && echo planted > .config/autostart/{id}.desktop")]],
      },
    ),
    app(
      "home-as-working-startup",
      "the home as working folder, the desktop's start by write_file",
      "{home}/.config/autostart/{id}.desktop",
      {
        folder: "{home}",
        steps: [[write(".config/autostart/{id}.desktop")]],
      },
    ),
  ],
};
