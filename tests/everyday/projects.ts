import { changes, hosts, looks, online, outside, type Project, tool } from "./everyday.ts";

const packageJson = JSON.stringify(
  {
    name: "shop",
    version: "1.2.0",
    type: "module",
    scripts: {
      test: "node --test",
      build: "node build.js",
      format: "node format.js src/*.js",
      start: "node server.js",
    },
  },
  null,
  2,
);

const web: Project = {
  name: "a web shop in JavaScript",
  files: {
    "package.json": packageJson,
    ".gitignore": "node_modules\ndist\n",
    "README.md": "# Shop\n\nSells things.\nOne more line.\n",
    "src/price.js": "// TODO: round\nexport const price = (cents) => cents / 100;\n",
    "src/price.test.js":
      'import assert from "node:assert";\nimport test from "node:test";\nimport { price } from "./price.js";\ntest("a price", () => assert.equal(price(250), 2.5));\n',
    "build.js":
      'import { cpSync, mkdirSync } from "node:fs";\nmkdirSync("dist", { recursive: true });\ncpSync("src", "dist", { recursive: true });\nconsole.log("built");\n',
    "format.js":
      'import { readFileSync, writeFileSync } from "node:fs";\nfor (const file of process.argv.slice(2)) writeFileSync(file, readFileSync(file, "utf8").replaceAll("\\t", "  "));\nconsole.log("formatted");\n',
    "server.js":
      'import { createServer } from "node:http";\nconst server = createServer((_, answer) => answer.end("the shop"));\nserver.listen(Number(process.env.PORT ?? 0), () => console.log("listening"));\n',
  },
  prepare:
    "git init -q . && git add -A && git commit -qm 'First version' && echo more >> README.md && git commit -qam 'More words' && git tag v1 && echo '// changed' >> src/price.js",
  calls: [
    looks("git status", { says: "price\\.js" }),
    looks("git status -sb"),
    looks("git log --oneline -5", { says: "More words" }),
    looks("git diff", { says: "changed" }),
    looks("git diff --stat"),
    looks("git show HEAD --stat", { says: "README" }),
    looks("git branch -a"),
    looks("git blame src/price.js", { says: "TODO" }),
    looks("git ls-files", { says: "build\\.js" }),
    looks("git remote -v"),
    looks("git tag", { says: "v1" }),
    looks("git rev-parse --abbrev-ref HEAD"),
    looks("git log -p -1 -- README.md | head -20"),
    looks("ls -la", { says: "package\\.json" }),
    looks("ls -R src | head"),
    looks("cat package.json", { says: "shop" }),
    looks("head -2 README.md", { says: "Shop" }),
    looks("tail -n 1 README.md"),
    looks("wc -l src/*.js", { says: "total" }),
    looks("find . -name '*.js' -not -path './node_modules/*'", { says: "build\\.js" }),
    looks("grep -rn TODO src", { says: "round" }),
    looks("rg TODO", { needs: ["rg"], says: "round" }),
    looks("du -sh src"),
    looks("stat package.json"),
    looks("sort README.md | uniq -c"),
    looks("diff src/price.js src/price.test.js | head -3"),
    looks("sed -n '1,2p' README.md", { says: "Shop" }),
    looks("jq -r .name package.json", { needs: ["jq"], says: "shop" }),
    looks("pwd"),
    looks("which node", { says: "node" }),
    looks("node --version", { says: "v\\d+" }),
    looks("uname -a"),
    looks("date"),
    tool("look", "read_file", { path: "src/price.js" }, { says: "TODO" }),
    tool("look", "list_directory", { path: "." }, { says: "package\\.json" }),
    tool("look", "grep", { pattern: "TODO" }, { says: "round" }),
    tool("look", "glob", { pattern: "src/*.js" }, { says: "price" }),
    looks("git diff HEAD~1 -- README.md", { says: "more" }),
    changes("npm test", { says: "pass 1" }),
    changes("npm run build", { says: "built" }),
    changes("npm run format --silent", { says: "formatted" }),
    changes("npx --no-install node --version; node build.js", { says: "built" }),
    changes("npm --version"),
    changes("npm ls --all"),
    changes('node -e "console.log(6 * 7)"', { says: "42" }),
    changes("node build.js && ls dist", { says: "price\\.js" }),
    tool("change", "write_file", { path: "src/tax.js", content: "export const tax = 19;\n" }),
    tool("change", "edit_file", {
      path: "README.md",
      old_string: "Sells things.",
      new_string: "Sells books.",
    }),
    tool("change", "edit_file", {
      path: "src/tax.js",
      old_string: "19",
      new_string: "20",
    }),
    changes("sed -i 's/round/round up/' src/price.js"),
    changes("mkdir -p docs && echo '# Notes' > docs/notes.md"),
    changes("cp docs/notes.md docs/more.md && mv docs/more.md docs/other.md"),
    changes("rm docs/other.md"),
    changes("touch docs/empty.md && chmod 644 docs/empty.md"),
    changes("cat docs/notes.md | tee docs/copy.md", { says: "Notes" }),
    changes("tar czf docs.tgz docs && tar tzf docs.tgz", { says: "notes\\.md" }),
    changes("zip -qr docs.zip docs && unzip -l docs.zip", { needs: ["zip", "unzip"], says: "notes" }),
    changes(
      "printf -- '--- a/README.md\\n+++ b/README.md\\n@@ -1 +1 @@\\n-# Shop\\n+# The shop\\n' | patch -p1",
      {
        needs: ["patch"],
      },
    ),
    changes("git add -A", {}),
    changes("git commit -m 'A tax'", { says: "A tax" }),
    changes("git checkout -b topic", { says: "topic" }),
    changes(
      "echo 'export const x = 1;' > src/x.js && git add src/x.js && git commit -qm 'An x' && git log --oneline -1",
      {
        says: "An x",
      },
    ),
    changes("git checkout -q - && git merge -q topic && ls src", { says: "x\\.js" }),
    changes("git branch -d topic", { says: "Deleted" }),
    changes("echo work >> README.md && git stash push -q && git stash list && git stash pop", {
      says: "stash@",
    }),
    changes("git tag v2 && git tag", { says: "v2" }),
    changes("git mv src/x.js src/y.js && git rm -q docs.tgz && git commit -qam 'Moved' && git status -s"),
    changes("git restore README.md"),
    changes("git revert --no-edit HEAD", { says: "Revert" }),
    changes("git cherry-pick --allow-empty v1 || git cherry-pick --skip"),
    changes("git reset -q --soft HEAD~1 && git commit -qm 'Again'"),
    changes("git rebase -q HEAD~1"),
    changes("git init -q inner && ls inner/.git", { ends: "told", says: "HEAD" }),
    changes("git clone -q . ../project/copy && ls copy", { ends: "told", says: "README" }),
    changes("git config user.name Somebody", { ends: "told" }),
    changes("git remote add upstream http://git.parley.test/shop.git", { ends: "told" }),
    changes("echo x > .envrc", { ends: "told" }),
    changes("echo hello > ~/hello.txt", { ends: "told" }),
    changes("cat ~/Documents/letter.txt", { ends: "told" }),
    changes("npm config set fund false", { ends: "told" }),
    changes("docker ps", { needs: ["docker"], ends: "told" }),
    online(`npm install left-pad --registry=${hosts.registry}/`, { says: "added 1 package" }),
    online("node --input-type=commonjs -e \"console.log(require('left-pad')('x', 3))\"", { says: "  x" }),
    online(`npm view left-pad version --registry=${hosts.registry}/`, { says: "1\\.0\\.0" }),
    online(`npm ci --registry=${hosts.registry}/`, { says: "added 1 package" }),
    online("npm uninstall left-pad", { says: "removed 1 package" }),
    online(`npx --yes --registry=${hosts.registry}/ say-hello`, { says: "hello from the registry" }),
    online(`curl -s ${hosts.pages}/page`, { needs: ["curl"], says: "a page" }),
    online(`wget -q -O - ${hosts.pages}/page`, { needs: ["wget"], says: "a page" }),
    online(`git clone -q ${hosts.git}/shop.git cloned && cat cloned/README.md`, { says: "from the server" }),
    online("git -C cloned pull -q && git -C cloned log --oneline -1", { says: "\\w" }),
    online("git -C cloned fetch -q --all && git -C cloned branch -a", { says: "origin" }),
    online("cd cloned && echo more >> README.md && git commit -qam More && git push -q && git status -sb", {
      says: "##",
    }),
    tool("host", "web_fetch", { url: `${hosts.pages}/page` }, { says: "a page" }),
    outside("PORT={port} npm start", { page: "the shop" }),
  ],
};

const script: Project = {
  name: "a script in Python",
  needs: ["python3"],
  files: {
    "stats.py":
      "def mean(xs):\n    return sum(xs) / len(xs)\n\n\nif __name__ == '__main__':\n    print(mean([1, 2, 6]))\n",
    "test_stats.py":
      "import unittest\nfrom stats import mean\n\n\nclass T(unittest.TestCase):\n    def test_mean(self):\n        self.assertEqual(mean([2, 4]), 3)\n\n\ndef test_plain():\n    assert mean([2, 4]) == 3\n",
    "data.csv": "a,b\n1,2\n",
  },
  prepare: "git init -q . && git add -A && git commit -qm 'First'",
  calls: [
    looks("python3 --version", { says: "Python 3" }),
    looks("cat data.csv | wc -l"),
    changes("python3 stats.py", { says: "3\\.0" }),
    changes("python3 -m unittest", { says: "OK" }),
    changes("pytest -q", { needs: ["pytest"], says: "passed" }),
    changes("python3 -c \"import csv; print(list(csv.DictReader(open('data.csv'))))\"", { says: "'b': '2'" }),
    changes("python3 -m json.tool <<< '{\"a\": 1}'", { says: '"a": 1' }),
    changes("python3 -m py_compile stats.py && ls __pycache__", { says: "stats" }),
    changes("python3 - <<'E'\nopen('out.txt', 'w').write('made')\nE\ncat out.txt", { says: "made" }),
    changes("python3 -m venv --without-pip .venv && .venv/bin/python -c 'print(40 + 2)'", { says: "42" }),
    changes("pip --version", { needs: ["pip"], says: "pip" }),
    changes("pip list | head -3", { needs: ["pip"] }),
    online(
      `pip download -q --no-deps --index-url ${hosts.pypi}/simple --trusted-host pypi.parley.test tiny && ls *.whl`,
      {
        needs: ["pip"],
        says: "tiny-1\\.0",
      },
    ),
    online(
      `"$(python3 -c 'import sys; print(sys.executable)')" -m pip install -q --no-deps --target lib --index-url ${hosts.pypi}/simple --trusted-host pypi.parley.test tiny && ls lib`,
      {
        needs: ["pip"],
        says: "tiny",
      },
    ),
    outside("python3 -u -m http.server {port}", { page: "Directory listing" }),
  ],
};

const configured: Project = {
  name: "a package whose registry is in a file that git keeps",
  files: {
    "package.json": JSON.stringify({ name: "inner", version: "1.0.0" }),
    ".npmrc": `registry=${hosts.registry}/\n`,
    ".gitignore": "node_modules\n",
    "notes.txt": "one\n",
  },
  prepare: "git init -q . && git add -A && git commit -qm First && echo two >> notes.txt",
  calls: [
    looks("git status -s", { says: "notes" }),
    looks("git --no-pager diff", { says: "two", ends: "told" }),
    changes("git commit -qam Second", { ends: "told" }),
    online("npm install left-pad", { says: "added 1 package", ends: "told" }),
  ],
};

const native: Project = {
  name: "a program in C and one in Rust",
  files: {
    "main.c": '#include <stdio.h>\nint main(void) { puts("hello from C"); return 0; }\n',
    Makefile:
      "main: main.c\n\t$(CC) -o main main.c\n\ntest: main\n\t./main | grep -q hello\n\nclean:\n\trm -f main\n",
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(m C)\nadd_executable(m main.c)\n",
    "crate/Cargo.toml": '[package]\nname = "crate"\nversion = "0.1.0"\nedition = "2021"\n',
    "crate/src/main.rs":
      'fn main() {\n    println!("hello from Rust");\n}\n\n#[test]\nfn adds() {\n    assert_eq!(1 + 1, 2);\n}\n',
    "Hello.java":
      'class Hello { public static void main(String[] a) { System.out.println("hello from Java"); } }\n',
  },
  calls: [
    looks("cat Makefile"),
    looks("cargo --version", { needs: ["cargo"], says: "cargo" }),
    looks("gcc --version | head -1", { needs: ["gcc"] }),
    changes("make", { needs: ["make", "gcc"], says: "main" }),
    changes("make test", { needs: ["make", "gcc"] }),
    changes("./main", { needs: ["gcc"], says: "hello from C" }),
    changes("make clean && make -n", { needs: ["make", "gcc"] }),
    changes("gcc -Wall -o other main.c && ./other", { needs: ["gcc"], says: "hello from C" }),
    changes("cmake -S . -B build && cmake --build build && build/m", {
      needs: ["cmake", "gcc"],
      says: "hello from C",
    }),
    changes("cd crate && cargo build -q --offline && target/debug/crate", {
      needs: ["cargo"],
      says: "hello from Rust",
    }),
    changes("cd crate && cargo test -q --offline", { needs: ["cargo"], says: "1 passed" }),
    changes("cd crate && cargo run -q --offline", { needs: ["cargo"], says: "hello from Rust" }),
    changes("cd crate && cargo check -q --offline", { needs: ["cargo"] }),
    changes("cd crate && cargo fmt --check || cargo fmt", { needs: ["cargo", "rustfmt"] }),
    changes("cargo new -q --vcs none another && ls another", { needs: ["cargo"], says: "Cargo" }),
    changes("javac Hello.java && java Hello", { needs: ["javac", "java"], says: "hello from Java" }),
    changes("sqlite3 shop.db 'create table t(a); insert into t values (7); select a from t'", {
      needs: ["sqlite3"],
      says: "7",
    }),
    changes("openssl dgst -sha256 main.c", { needs: ["openssl"], says: "SHA" }),
    changes("perl -ne 'print if /hello/' main.c", { needs: ["perl"], says: "hello" }),
  ],
};

export const projects: readonly Project[] = [web, script, configured, native];
