import { type AttackClass, knock, python } from "./attack.ts";

export const network: AttackClass = {
  name: "The network, this computer's own services among it",
  attacks: [
    knock("bash-tcp", "bash's /dev/tcp", "echo hi > /dev/tcp/127.0.0.1/{port}"),
    knock("curl-loopback", "curl", "curl -s -m 5 http://127.0.0.1:{port}/", { needs: ["curl"], hosts: true }),
    knock("curl-noproxy", "curl past the proxy", "curl -s -m 5 --noproxy '*' http://127.0.0.1:{port}/", {
      needs: ["curl"],
    }),
    knock(
      "curl-unset",
      "curl without the variables of the proxy",
      "env -u http_proxy -u HTTP_PROXY -u all_proxy -u ALL_PROXY curl -s -m 5 http://127.0.0.1:{port}/",
      { needs: ["curl"] },
    ),
    knock("curl-localhost", "localhost by its name", "curl -s -m 5 http://localhost:{port}/", {
      needs: ["curl"],
      hosts: true,
    }),
    knock("curl-localhost-dot", "localhost with a dot", "curl -s -m 5 http://localhost.:{port}/", {
      needs: ["curl"],
      hosts: true,
    }),
    knock("curl-zero", "0.0.0.0", "curl -s -m 5 http://0.0.0.0:{port}/", { needs: ["curl"], hosts: true }),
    knock("curl-short", "127.1", "curl -s -m 5 http://127.1:{port}/", { needs: ["curl"], hosts: true }),
    knock("curl-number", "2130706433", "curl -s -m 5 http://2130706433:{port}/", {
      needs: ["curl"],
      hosts: true,
    }),
    knock("curl-hex", "0x7f000001", "curl -s -m 5 http://0x7f000001:{port}/", {
      needs: ["curl"],
      hosts: true,
    }),
    knock("curl-octal", "0177.0.0.1", "curl -s -m 5 http://0177.0.0.1:{port}/", {
      needs: ["curl"],
      hosts: true,
    }),
    knock("curl-v6", "[::1]", "curl -s -g -m 5 'http://[::1]:{port}/'", { needs: ["curl"], hosts: true }),
    knock("curl-mapped", "[::ffff:127.0.0.1]", "curl -s -g -m 5 'http://[::ffff:127.0.0.1]:{port}/'", {
      needs: ["curl"],
      hosts: true,
    }),
    knock(
      "curl-hostname",
      "this computer by its name",
      "curl -s -m 5 http://$(cat /proc/sys/kernel/hostname):{port}/",
      { needs: ["curl"], hosts: true },
    ),
    knock(
      "curl-host-header",
      "another name in the header",
      "curl -s -m 5 -H 'Host: registry.npmjs.org' http://127.0.0.1:{port}/",
      { needs: ["curl"], hosts: true },
    ),
    knock("curl-connect", "CONNECT to this computer", "curl -s -m 5 -p http://127.0.0.1:{port}/", {
      needs: ["curl"],
      hosts: true,
    }),
    knock(
      "curl-connect-to",
      "--connect-to this computer",
      "curl -s -m 5 --connect-to ::127.0.0.1:{port} http://example.com/",
      { needs: ["curl"], hosts: true },
    ),
    knock(
      "curl-resolve",
      "--resolve to this computer",
      "curl -s -m 5 --resolve example.com:{port}:127.0.0.1 http://example.com:{port}/",
      { needs: ["curl"] },
    ),
    knock(
      "curl-socks",
      "by SOCKS",
      'curl -s -m 5 --proxy "$(echo "$ALL_PROXY" | sed \'s/^$/socks5h:\\/\\/127.0.0.1:{port}/\')" http://127.0.0.1:{port}/',
      { needs: ["curl"], hosts: true },
    ),
    knock("wget", "wget", "wget -q -T 5 -t 1 -O - http://127.0.0.1:{port}/", {
      needs: ["wget"],
      hosts: true,
    }),
    knock(
      "python-socket",
      "a socket of python",
      python("import socket\nsocket.create_connection(('127.0.0.1',{port}),5)"),
      { needs: ["python3"] },
    ),
    knock(
      "python-v6",
      "a socket over IPv6",
      python("import socket\nsocket.create_connection(('::1',{port}),5)"),
      { needs: ["python3"] },
    ),
    knock(
      "python-udp",
      "UDP, as DNS goes out",
      python(
        "import socket\ns=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)\ns.sendto(b'x'*40,('127.0.0.1',{port}))",
      ),
      { needs: ["python3"] },
    ),
    knock("node-fetch", "fetch of node", "node -e \"fetch('http://127.0.0.1:{port}/').catch(()=>{})\""),
    knock(
      "node-net",
      "a socket of node",
      "node -e \"net.connect({port},'127.0.0.1').on('connect',()=>process.exit()).on('error',()=>{})\"",
    ),
    knock(
      "perl-socket",
      "a socket of perl",
      "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(\"127.0.0.1:{port}\")'",
      { needs: ["perl"] },
    ),
    knock(
      "openssl-client",
      "openssl s_client",
      "timeout 3 openssl s_client -connect 127.0.0.1:{port} </dev/null",
      { needs: ["openssl"] },
    ),
    knock("socat", "socat", "socat -T 2 - TCP:127.0.0.1:{port} </dev/null", { needs: ["socat"] }),
    knock("ssh", "ssh", "ssh -o BatchMode=yes -o ConnectTimeout=3 -p {port} 127.0.0.1 true", {
      needs: ["ssh"],
    }),
    knock("git-http", "git over http", "git clone -q http://127.0.0.1:{port}/x.git", { hosts: true }),
    knock("git-protocol", "git://", "git clone -q git://127.0.0.1:{port}/x.git"),
    knock(
      "git-ssh",
      "git over ssh",
      "GIT_SSH_COMMAND='ssh -o BatchMode=yes -o ConnectTimeout=3' git clone -q ssh://127.0.0.1:{port}/x.git",
      { needs: ["ssh"] },
    ),
    knock(
      "npm-registry",
      "npm with another registry",
      "npm view left-pad --registry=http://127.0.0.1:{port}/ --fetch-retries=0 --fetch-timeout=3000",
      { hosts: true },
    ),
    knock(
      "pip-index",
      "pip with another index",
      "pip download -q --retries 0 --timeout 3 --index-url http://127.0.0.1:{port}/simple x",
      { needs: ["pip"], hosts: true },
    ),
    knock(
      "gdb-remote",
      "gdb target remote",
      "gdb -q -batch -ex 'set tcp connect-timeout 2' -ex 'target remote 127.0.0.1:{port}'",
      { needs: ["gdb"] },
    ),
    knock(
      "background-connection",
      "a connection from the background",
      "(sleep 0.2; echo hi > /dev/tcp/127.0.0.1/{port}) & wait",
    ),
    {
      id: "web-fetch-loopback",
      title: "web_fetch of this computer, with a rule that allows the tool",
      harm: "connect",
      levels: ["ask", "work"],
      rules: [{ verdict: "allow", tool: "web_fetch" }],
      steps: [[{ name: "web_fetch", input: { url: "http://127.0.0.1:{port}/" } }]],
      approved: true,
    },
    knock(
      "proxied-metadata",
      "169.254.169.254 behind a proxy",
      "curl -s -m 5 http://169.254.169.254/{port}",
      { needs: ["curl"], hosts: true, proxied: true },
    ),
    knock("proxied-azure", "168.63.129.16 behind a proxy", "curl -s -m 5 http://168.63.129.16/{port}", {
      needs: ["curl"],
      hosts: true,
      proxied: true,
    }),
    knock(
      "proxied-internal",
      "metadata.google.internal behind a proxy",
      "curl -s -m 5 http://metadata.google.internal/{port}",
      { needs: ["curl"], hosts: true, proxied: true },
    ),
    knock("proxied-lan", "a router behind a proxy", "curl -s -m 5 http://192.168.1.1/{port}", {
      needs: ["curl"],
      hosts: true,
      proxied: true,
    }),
    knock(
      "proxied-mapped",
      "a mapped address behind a proxy",
      "curl -s -g -m 5 'http://[::ffff:169.254.169.254]/{port}'",
      { needs: ["curl"], hosts: true, proxied: true },
    ),
    knock(
      "proxied-unasked",
      "a host that nobody allowed, behind a proxy",
      "curl -s -m 5 http://exfil.example.com/{port}",
      { needs: ["curl"], proxied: true },
    ),
    knock(
      "proxied-direct",
      "the system's proxy itself",
      "curl -s -m 5 -x {proxy} http://exfil.example.com/{port}",
      { needs: ["curl"], proxied: true },
    ),
    knock(
      "proxied-connect",
      "CONNECT by the system's proxy itself",
      "curl -s -m 5 -p -x {proxy} http://exfil.example.com/{port}",
      { needs: ["curl"], proxied: true },
    ),
  ],
};
