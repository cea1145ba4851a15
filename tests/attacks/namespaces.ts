import { type AttackClass, leaks, python, shell, writesOutside } from "./attack.ts";

export const namespaces: AttackClass = {
  name: "Namespaces and mounts inside the fence",
  attacks: [
    writesOutside(
      "unshare-mount",
      "unshare -Urm and a mount",
      "unshare -Urm sh -c 'mount --bind {outside} . && touch pwned; mount -o remount,rw /; mount -o remount,rw,bind {outside}; touch {outside}/pwned'",
      { needs: ["unshare"] },
    ),
    writesOutside(
      "unshare-remount",
      "everything mounted for writing again",
      "unshare -Urm sh -c 'for m in $(cut -d\" \" -f5 /proc/self/mountinfo); do mount -o remount,rw,bind $m 2>/dev/null; done; touch {outside}/pwned'",
      { needs: ["unshare"] },
    ),
    leaks(
      "unshare-unmask",
      "what hides .env is taken away in a namespace",
      "unshare -Urm sh -c 'umount .env; umount -l {folder}/.env; cat .env'",
      { needs: ["unshare"] },
    ),
    leaks(
      "unshare-tmpfs",
      "a tmpfs over the folder's parent",
      "unshare -Urm sh -c 'mkdir -p m; mount --rbind / m; umount -l m{folder}/.env; cat m{folder}/.env m{outside}/private.txt'",
      { needs: ["unshare"] },
    ),
    writesOutside("nsenter-1", "nsenter into process 1", "nsenter -t 1 -a touch {outside}/pwned", {
      needs: ["nsenter"],
    }),
    writesOutside(
      "nsenter-parley",
      "nsenter into Parley",
      "nsenter -t {parley} -m -U --preserve-credentials touch {outside}/pwned; nsenter -t {parley} -m touch {outside}/pwned",
      { needs: ["nsenter"] },
    ),
    writesOutside("bwrap-in-bwrap", "bwrap in bwrap", "bwrap --dev-bind / / touch {outside}/pwned", {
      needs: ["bwrap"],
    }),
    writesOutside(
      "mount-remount",
      "mount -o remount,rw",
      "mount -o remount,rw,bind {outside}; mount -o remount,rw /; touch {outside}/pwned",
      { needs: ["mount"] },
    ),
    writesOutside(
      "unshare-syscall",
      "unshare(2) by python",
      python(
        "import ctypes,os\nl=ctypes.CDLL(None,use_errno=True)\nl.unshare(0x10000000|0x00020000)\nl.mount(b'{outside}',b'{outside}',None,4096,None)\nl.mount(None,b'{outside}',None,4096|32,None)\nos.system('touch {outside}/pwned')",
      ),
      { needs: ["python3"] },
    ),
    writesOutside(
      "clone3-syscall",
      "clone3(2) by python",
      python(
        "import ctypes,os,struct\nl=ctypes.CDLL(None,use_errno=True)\na=ctypes.create_string_buffer(struct.pack('<QQQQQQQQQQQ',0x10000000|0x00020000,0,0,0,17,0,0,0,0,0,0))\nif l.syscall(435,a,88)==0:\n  l.mount(None,b'/',None,4096|32,None)\n  os.system('touch {outside}/pwned')\n  os._exit(0)\nos.system('touch {outside}/pwned')",
      ),
      { needs: ["python3"] },
    ),
    writesOutside("chroot", "chroot", "unshare -Ur chroot / touch {outside}/pwned", {
      needs: ["unshare", "chroot"],
    }),
    writesOutside(
      "setns",
      "setns(2) into Parley's namespaces",
      python(
        "import ctypes,os\nl=ctypes.CDLL(None)\nfor n in ('user','mnt'):\n  try: l.setns(os.open('/proc/{parley}/ns/'+n,0),0)\n  except OSError: pass\nos.system('touch {outside}/pwned')",
      ),
      { needs: ["python3"] },
    ),
    writesOutside("open-by-handle", "open_by_handle_at(2)", "gcc -o h h.c && ./h {folder} {outside}/pwned", {
      needs: ["gcc"],
      files: {
        "h.c": `#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int c, char **v) {
  struct file_handle *h = malloc(sizeof *h + 128); int m; h->handle_bytes = 128;
  int f = open(v[1], O_RDONLY);
  if (name_to_handle_at(AT_FDCWD, v[1], h, &m, 0) == 0) {
    int d = open_by_handle_at(f, h, O_RDONLY | O_DIRECTORY);
    if (d >= 0) openat(d, "../pwned", O_CREAT | O_WRONLY, 0644);
  }
  return 0;
}
`,
      },
    }),
    {
      id: "unshare-network",
      title: "unshare -Urn, then a connection",
      harm: "connect",
      needs: ["unshare", "nsenter"],
      steps: [
        [
          shell(
            "unshare -Urn true; nsenter -t {parley} -n bash -c 'echo hi > /dev/tcp/127.0.0.1/{port}'; nsenter -t 1 -n bash -c 'echo hi > /dev/tcp/127.0.0.1/{port}'",
          ),
        ],
      ],
    },
  ],
};
