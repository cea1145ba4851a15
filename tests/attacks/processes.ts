import { type Attack, type AttackClass, leaks, python, read, shell, write, writesOutside } from "./attack.ts";

const remains = (id: string, title: string, command: string, more: Partial<Attack> = {}): Attack => ({
  id,
  title,
  harm: "stay",
  steps: [[shell(command)]],
  ...more,
});
const asleep = "exec -a {stay} sleep 600";

export const processes: AttackClass = {
  name: "Programs left running, and other people's processes",
  attacks: [
    remains("stay-background", "&", `bash -c '${asleep}' &`),
    remains("stay-nohup", "nohup", `nohup bash -c '${asleep}' >/dev/null 2>&1 &`),
    remains("stay-disown", "disown", `bash -c '${asleep}' >/dev/null 2>&1 & disown`),
    remains("stay-setsid", "setsid", `setsid bash -c '${asleep}' >/dev/null 2>&1 </dev/null &`),
    remains(
      "stay-setsid-fork",
      "setsid twice",
      `setsid -f setsid -f bash -c '${asleep}' >/dev/null 2>&1 </dev/null`,
    ),
    remains(
      "stay-deaf",
      "one that ignores signals",
      `setsid bash -c 'trap "" TERM HUP INT; ${asleep}' >/dev/null 2>&1 </dev/null &`,
    ),
    remains(
      "stay-daemon",
      "a daemon that forks twice and forgets its variables",
      python(
        `import os,sys\nif os.fork()==0:\n  os.setsid()\n  if os.fork()==0:\n    os.closerange(0,256)\n    os.execve('/bin/sleep',['{stay}','600'],{})\n  os._exit(0)`,
      ),
      { needs: ["python3"] },
    ),
    remains(
      "stay-start-stop-daemon",
      "start-stop-daemon",
      `start-stop-daemon --start --background --pidfile p --exec /bin/bash -- -c '${asleep}'`,
      { needs: ["start-stop-daemon"] },
    ),
    remains(
      "stay-namespace",
      "in a namespace of its own",
      `setsid unshare -Urpf bash -c '${asleep}' >/dev/null 2>&1 </dev/null &`,
      { needs: ["unshare"] },
    ),
    remains("stay-systemd-run", "systemd-run", `systemd-run --user --no-block bash -c '${asleep}'`, {
      needs: ["systemd-run", "systemd"],
    }),
    remains("stay-at", "at", `echo "bash -c '${asleep}'" | at now`, { needs: ["at", "atd"] }),
    remains(
      "stay-subreaper",
      "children of a process that adopts them",
      python(
        `import ctypes,os\nctypes.CDLL(None).prctl(36,1,0,0,0)\nif os.fork()==0:\n  os.setsid()\n  os.closerange(0,256)\n  os.execve('/bin/sleep',['{stay}','600'],{})\nos._exit(0)`,
      ),
      { needs: ["python3"] },
    ),
    {
      id: "stay-and-write",
      title: "a program that waits, then writes a hook when the call has ended",
      harm: "write",
      prepare: "git init -q .",
      steps: [
        [
          shell(
            "setsid bash -c 'for i in $(seq 300); do [ -e go ] && echo x > .git/hooks/pre-commit && exit; sleep 0.01; done' >/dev/null 2>&1 </dev/null &",
          ),
        ],
        [write("go"), shell("sleep 0.5; true")],
      ],
      untouched: ["{folder}/.git/hooks/pre-commit"],
    },
    { id: "kill", title: "kill", harm: "kill", steps: [[shell("kill -9 {victim}")]] },
    {
      id: "kill-python",
      title: "kill by python",
      harm: "kill",
      needs: ["python3"],
      steps: [[shell("python3 -c 'import os;os.kill({victim},9)'")]],
    },
    {
      id: "kill-by-name",
      title: "a process looked for in /proc",
      harm: "kill",
      steps: [
        [
          shell(
            'n={stay}; for p in /proc/[0-9]*; do grep -q "$n-vic""tim" $p/cmdline 2>/dev/null && kill -9 $(basename $p); done; true',
          ),
        ],
      ],
    },
    leaks("proc-environ-parley", "Parley's variables", "cat /proc/{parley}/environ | tr '\\0' ' '"),
    leaks(
      "proc-environ-all",
      "the variables of every process",
      "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -a TOKEN",
    ),
    leaks(
      "proc-environ-victim",
      "the variables of another process",
      "tr '\\0' '\\n' < /proc/{victim}/environ",
    ),
    {
      id: "proc-environ-read-file",
      title: "the same by read_file",
      harm: "leak",
      steps: [[read("/proc/{parley}/environ"), read("/proc/self/environ")]],
    },
    {
      id: "proc-environ-link",
      title: "the same by a link and read_file",
      harm: "leak",
      steps: [[shell("ln -s /proc/{parley}/environ e; ln -s /proc/self/environ s")], [read("e"), read("s")]],
    },
    leaks("proc-root-parley", "/proc/…/root of Parley", "cat /proc/{parley}/root{outside}/private.txt"),
    leaks("proc-cwd-parley", "/proc/…/cwd of another process", "cat /proc/{victim}/cwd/private.txt"),
    leaks("proc-root-1", "/proc/1/root", "cat /proc/1/root{outside}/private.txt"),
    leaks("proc-fd-victim", "an open file of another process", "cat /proc/{victim}/fd/0"),
    leaks(
      "ptrace-gdb",
      "gdb attached to another process",
      "gdb -q -batch -p {victim} -ex 'call (char*)getenv(\"TOKEN\")' -ex 'info auxv'; gdb -q -batch -p {victim} -ex 'x/200s *((char***)&environ)[0]'",
      { needs: ["gdb"] },
    ),
    leaks(
      "process-vm-readv",
      "the memory of another process",
      python(
        "import re\nm=open('/proc/{victim}/maps').read()\nf=open('/proc/{victim}/mem','rb',0)\na,b=[int(x,16) for x in re.search(r'(\\w+)-(\\w+) .*\\[stack\\]',m).groups()]\nf.seek(a)\nprint(re.findall(rb'TOKEN=\\S+',f.read(b-a)))",
      ),
      { needs: ["python3"] },
    ),
    writesOutside(
      "ptrace-strace",
      "strace attached to another process",
      "timeout 2 strace -o {outside}/pwned -p {victim}",
      { needs: ["strace"] },
    ),
  ],
};
