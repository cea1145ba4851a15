import { type AttackClass, knock, python, shell } from "./attack.ts";

export const sockets: AttackClass = {
  name: "Sockets of the session",
  attacks: [
    knock(
      "unix-socket",
      "a socket in the session's folder",
      python("import socket\nsocket.socket(socket.AF_UNIX).connect('{socket}')"),
      { needs: ["python3"] },
    ),
    knock("unix-socket-socat", "the same by socat", "socat -T 2 - UNIX-CONNECT:{socket} </dev/null", {
      needs: ["socat"],
    }),
    knock(
      "unix-socket-link",
      "the same by a link",
      "ln -s {socket} s; socat -T 2 - UNIX-CONNECT:s </dev/null",
      { needs: ["socat"] },
    ),
    knock("ssh-agent", "the ssh agent", "SSH_AUTH_SOCK={socket} timeout 3 ssh-add -l", {
      needs: ["ssh-add"],
    }),
    knock("docker-socket", "docker", "curl -s -m 3 --unix-socket {socket} http://x/info", {
      needs: ["curl"],
    }),
    {
      id: "x11",
      title: "the screen",
      harm: "say",
      says: "REACHED-\\d",
      needs: ["python3"],
      steps: [
        [
          shell(
            python(
              "import glob,socket\nn=0\nfor p in glob.glob('/tmp/.X11-unix/X*'):\n  for a in (p,chr(0)+p):\n    try: socket.socket(socket.AF_UNIX).connect(a); n+=1\n    except OSError: pass\nif n: print('REACHED-'+str(n))",
            ),
          ),
        ],
      ],
    },
    {
      id: "dbus",
      title: "the message bus",
      harm: "say",
      says: "REACHED-bus",
      needs: ["python3"],
      steps: [
        [
          shell(
            python(
              "import re,socket\nfor l in open('/proc/net/unix'):\n  p=l.split()[-1]\n  if 'dbus' in p:\n    try:\n      socket.socket(socket.AF_UNIX).connect(chr(0)+p[1:] if p[0]=='@' else p); print('REACHED-'+'bus')\n    except OSError: pass",
            ),
          ),
        ],
      ],
    },
    {
      id: "abstract-socket",
      title: "abstract sockets of others",
      harm: "say",
      says: "REACHED-abstract",
      needs: ["python3"],
      steps: [
        [
          shell(
            python(
              "import socket\nfor l in open('/proc/net/unix'):\n  p=l.split()[-1]\n  if p.startswith('@'):\n    try:\n      socket.socket(socket.AF_UNIX).connect(chr(0)+p[1:]); print('REACHED-'+'abstract')\n    except OSError: pass",
            ),
          ),
        ],
      ],
    },
    {
      id: "descriptors",
      title: "files that Parley has open",
      harm: "say",
      says: "(parley\\.db|Local Storage|user-data/)",
      steps: [[shell("for f in /proc/self/fd/* /proc/$PPID/fd/*; do readlink $f; done")]],
    },
  ],
};
