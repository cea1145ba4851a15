import { describe, expect, test } from "vitest";
import { isRunByTools } from "../../../../shared/safety/tool-files.ts";

describe("what the user's own tools run", () => {
  test.each(
    "package.json packages/a/package.json Makefile GNUmakefile Makefile.am lib/rules.mk CMakeLists.txt vite.config.ts .eslintrc.cjs Cargo.toml build.rs pom.xml .mvn/jvm.config gradle/wrapper/gradle-wrapper.properties app/build.gradle.kts pyproject.toml conftest.py requirements-dev.txt Gemfile Rakefile composer.json docker-compose.override.yml Dockerfile.dev BUILD scripts/release.sh setup.cmd flake.nix justfile yarn.lock".split(
      " ",
    ),
  )("%s", (path) => expect(isRunByTools(path)).toBe(true));

  // Bug: the card of a command that was to run outside did not name these, though the user's tools obey them.
  test.each(
    "main.tf.json Taskfile.dist.yml CMakeUserPresets.json .eslintrc.json .eslintrc .mocharc.yml .lintstagedrc .lintstagedrc.json .huskyrc.json nodemon.json apps/a/project.json angular.json .pylintrc mkdocs.yml docs/conf.py docs/source/conf.py wrangler.toml serverless.yml .goreleaser.yml .goreleaser.yaml .air.toml project.clj live/terragrunt.hcl Snakefile .latexmkrc .babelrc".split(
      " ",
    ),
  )("%s is one that tools obey", (path) => expect(isRunByTools(path)).toBe(true));

  test.each(
    "src/main.ts README.md data/package.json.txt makefiles/readme build/out.js notes.shtml src/config.ts tsconfig.json my.mkv src/rc.json project.json.md myconf.py main.tf.jsonl".split(
      " ",
    ),
  )("%s is none", (path) => expect(isRunByTools(path)).toBe(false));
});
