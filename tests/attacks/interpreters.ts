import { type AttackClass, leaks, writesOutside } from "./attack.ts";

const out = writesOutside;

export const interpreters: AttackClass = {
  name: "Programs that run or write what they are told",
  attacks: [
    out("python", "python -c", "python3 -c \"open('{outside}/pwned','w')\"", { needs: ["python3"] }),
    out(
      "python-stdin",
      "python from a here-document",
      "python3 - <<'E'\nimport os\nos.system('touch {outside}/pwned')\nE",
      {
        needs: ["python3"],
      },
    ),
    out("node", "node -e", "node -e \"fs.writeFileSync('{outside}/pwned','')\""),
    out("node-child", "node starts a program", "node -e \"child_process.execSync('touch {outside}/pwned')\""),
    out("perl", "perl -e", "perl -e 'open(F,\">{outside}/pwned\")'", { needs: ["perl"] }),
    out("awk-system", "awk system()", "awk 'BEGIN{system(\"touch {outside}/pwned\")}'"),
    out("awk-print", "awk print >", "awk 'BEGIN{print 1 > \"{outside}/pwned\"}'"),
    out("sed-e", "sed e", "echo | sed 'e touch {outside}/pwned'"),
    out("sed-w", "sed w", "echo x | sed -n 'w {outside}/pwned'"),
    out("make-stdin", "make -f -", "printf 'a:\\n\\ttouch {outside}/pwned\\n' | make -f -", {
      needs: ["make"],
    }),
    out("vim", "vim -c", "vim -es -u NONE -c '!touch {outside}/pwned' -c 'q!'", { needs: ["vim"] }),
    out("ed", "ed !", "printf '!touch {outside}/pwned\\nq\\n' | ed -s", { needs: ["ed"] }),
    out("tclsh", "tclsh", "echo 'exec touch {outside}/pwned' | tclsh", { needs: ["tclsh"] }),
    out("gdb-shell", "gdb -ex shell", "gdb -q -batch -ex 'shell touch {outside}/pwned'", { needs: ["gdb"] }),
    out("gdb-python", "gdb -ex python", "gdb -q -batch -ex \"python open('{outside}/pwned','w')\"", {
      needs: ["gdb"],
    }),
    out("strace-out", "strace -o", "strace -o {outside}/pwned true", { needs: ["strace"] }),
    out("sqlite-shell", "sqlite3 .shell", "sqlite3 :memory: '.shell touch {outside}/pwned'", {
      needs: ["sqlite3"],
    }),
    out("sqlite-output", "sqlite3 .output", "sqlite3 :memory: '.output {outside}/pwned' 'select 1'", {
      needs: ["sqlite3"],
    }),
    out("find-exec", "find -exec", "find . -maxdepth 0 -exec touch {outside}/pwned ';'"),
    out("find-fprint", "find -fprint", "find . -fprint {outside}/pwned"),
    out("xargs", "xargs", "echo {outside}/pwned | xargs touch"),
    out(
      "tar-checkpoint",
      "tar --checkpoint-action",
      "touch a; tar cf /dev/null a --checkpoint=1 --checkpoint-action='exec=touch {outside}/pwned'",
    ),
    out("tar-extract", "tar -C", "touch pwned; tar cf x.tar pwned; tar xf x.tar -C {outside}"),
    out(
      "tar-absolute",
      "tar -P",
      "touch pwned; tar cPf x.tar --transform='s,pwned,{outside}/pwned,' pwned; tar xPf x.tar",
    ),
    out("dd", "dd", "dd if=/dev/null of={outside}/pwned status=none"),
    out("tee", "tee", "echo x | tee {outside}/pwned"),
    out("install", "install", "touch a; install a {outside}/pwned"),
    out("env-split", "env -S", "env -S 'touch {outside}/pwned'"),
    out("eval-hex", "eval of what is put together", 'p=touch; eval "$p {outside}/pwn""ed"'),
    out("pipe-shell", "a pipe into sh", "echo 'touch {outside}/pwned' | sh"),
    out("exec-redirect", "exec with a redirection", "exec 9> {outside}/pwned"),
    out("bash-source", "a file that is made and sourced", "echo 'touch {outside}/pwned' > s; . ./s"),
    out(
      "script-file",
      "a program that is made and started",
      "printf '#!/bin/sh\\ntouch {outside}/pwned\\n' > s; chmod +x s; ./s",
    ),
    out(
      "compiled",
      "a program that is compiled and started",
      "printf '#include <fcntl.h>\\nint main(void){return open(\"{outside}/pwned\",O_CREAT|O_WRONLY,0644)<0;}' > a.c && gcc a.c -o a && ./a",
      {
        needs: ["gcc"],
      },
    ),
    out(
      "preload",
      "LD_PRELOAD",
      "printf '#include <fcntl.h>\\n__attribute__((constructor)) void f(void){open(\"{outside}/pwned\",O_CREAT|O_WRONLY,0644);}' > a.c && gcc -shared -fPIC a.c -o a.so && LD_PRELOAD=$PWD/a.so /bin/ls",
      {
        needs: ["gcc"],
      },
    ),
    out(
      "memfd",
      "a program in memory",
      "python3 -c \"import os;f=os.memfd_create('m',0);os.write(f,b'#!/bin/sh\\ntouch {outside}/pwned\\n');os.execv('/proc/self/fd/%d'%f,['m'])\"",
      {
        needs: ["python3"],
      },
    ),
    out(
      "loader",
      "the loader starts it",
      "$(ls /lib64/ld-linux-* /lib/ld-linux-* 2>/dev/null | head -1) $(command -v touch) {outside}/pwned",
    ),
    out("cmake", "cmake -E", "cmake -E touch {outside}/pwned", { needs: ["cmake"] }),
    out("openssl-out", "openssl -out", "openssl rand -out {outside}/pwned 4", { needs: ["openssl"] }),
    out("curl-out", "curl -o", "echo x > a; curl -s -o {outside}/pwned file://$PWD/a", { needs: ["curl"] }),
    out("wget-log", "wget -o", "wget -q -o {outside}/pwned http://127.0.0.1:1/; true", { needs: ["wget"] }),
    out(
      "ssh-proxy-command",
      "ssh -o ProxyCommand",
      "ssh -o BatchMode=yes -o ProxyCommand='touch {outside}/pwned' nowhere",
      { needs: ["ssh"] },
    ),
    out("ssh-log", "ssh -E", "ssh -E {outside}/pwned -o BatchMode=yes -o ProxyCommand=false nowhere", {
      needs: ["ssh"],
    }),
    out("npm-script", "a script of package.json that is changed and run", "npm test", {
      files: { "package.json": '{"name":"p","version":"1.0.0","scripts":{"test":"touch {outside}/pwned"}}' },
    }),
    out("npx-call", "npx -c", "npx -c 'touch {outside}/pwned'"),
    out("cargo-build-script", "a build script of cargo", "cargo build --offline -q", {
      needs: ["cargo"],
      files: {
        "Cargo.toml": '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n',
        "build.rs": 'fn main() { std::fs::write("{outside}/pwned", "").ok(); }\n',
        "src/main.rs": "fn main() {}\n",
      },
    }),
    out("pip-setup", "setup.py", "python3 setup.py --version", {
      needs: ["python3"],
      files: { "setup.py": "open('{outside}/pwned','w')\n" },
    }),
    leaks(
      "rustc-include",
      "rustc include_str!",
      'printf \'const S: &str = include_str!("{outside}/private.txt"); fn main(){println!("{}",S)}\' > a.rs && rustc -o a a.rs && ./a',
      {
        needs: ["rustc"],
      },
    ),
    leaks("gcc-include", "gcc -include", "echo 'int a;' > a.c; gcc -include {outside}/private.txt -c a.c", {
      needs: ["gcc"],
    }),
  ],
};
