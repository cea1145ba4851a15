import { describe, expect, test } from "vitest";
import { isPrivateHost } from "../../../../electron/fence/network/private-hosts.ts";

describe("a host of this computer or of a private network", () => {
  test.each([
    "localhost",
    "printer",
    "printer.local",
    "a.localhost",
    "db.internal",
    "wiki.intranet",
    "nas.lan",
    "mail.corp",
    "tv.home",
    "x.private",
    "router.home.arpa",
    "Printer.LOCAL",
    "printer.local.",
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.0.0.1.",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
    // Other ways to write an address.
    "2130706433",
    "0x7f000001",
    "0x7F.1",
    "127.1",
    "017700000001",
    "010.8.8.8",
    // Also of public ones: who writes them so wants to hide where they lead.
    "134744072",
    "0x08080808",
    "0x8.0x8.0x8.0x08",
    "8.526344",
    "8.8.2056",
    "::1",
    "[::1]",
    "[::1].",
    "fe80::1",
    "fd00::1",
    "ff02::1",
    "::ffff:10.0.0.1",
    "4000::1",
  ])("%s is one", (host) => {
    expect(isPrivateHost(host)).toBe(true);
  });

  test.each([
    "example.com",
    "local.example.com",
    "my-home.net",
    "home.example",
    "xcorp.com",
    "1.example.com",
    "0x7f.example.com",
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "100.128.0.1",
    "192.0.1.1",
    "198.20.0.1",
    "223.255.255.255",
    "168.63.129.17",
    "2606:4700::1111",
    "[2001:4860:4860::8888]",
    "::ffff:8.8.8.8",
  ])("%s is none", (host) => {
    expect(isPrivateHost(host)).toBe(false);
  });
});
