import { expect, test } from "vitest";
import {
  checkName,
  checkUrl,
  isPublicAddress,
  isPublicHost,
} from "../../../../electron/tools/web/web-address.ts";

test.each([
  ["93.184.216.34", true],
  ["2606:2800:220:1:248:1893:25c8:1946", true],
  ["64:ff9b::5db8:d822", true],
  ["127.0.0.1", false],
  ["127.255.0.3", false],
  ["0.0.0.0", false],
  ["10.1.2.3", false],
  ["172.16.0.1", false],
  ["192.168.1.1", false],
  ["169.254.169.254", false],
  ["100.64.0.1", false],
  // Where clouds keep what their computers may know.
  ["168.63.129.16", false],
  ["::ffff:168.63.129.16", false],
  ["64:ff9b::a83f:8110", false],
  ["169.254.170.2", false],
  ["100.100.100.200", false],
  ["192.0.0.192", false],
  ["fd00:ec2::254", false],
  ["168.63.129.17", true],
  ["198.18.0.1", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["::1", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:a00:1", false],
  ["::7f00:1", false],
  ["64:ff9b::7f00:1", false],
  ["2002:7f00:1::", false],
  ["fe80::1", false],
  ["fc00::1", false],
  ["fd12:3456::1", false],
  ["ff02::1", false],
  ["nonsense", false],
])("%s is public: %s", (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

test.each([
  ["file:///etc/passwd", "Only http and https"],
  ["ftp://example.org/", "Only http and https"],
  ["http://user:secret@example.org/", "user name"],
  ["http://2130706433/", "private network"],
  ["http://0x7f.1/", "private network"],
  ["http://[::1]:8080/", "private network"],
  ["http://169.254.169.254/latest", "private network"],
])("%s is refused: %s", (url, message) => {
  expect(() => checkUrl(new URL(url), isPublicAddress)).toThrow(message);
});

test("private addresses are allowed by the setting; other protocols never", () => {
  expect(() => checkUrl(new URL("http://127.0.0.1/"), () => true)).not.toThrow();
  expect(() => checkUrl(new URL("file:///etc/passwd"), () => true)).toThrow("Only http and https");
});

test("a name that somebody else looks up is refused where it leads to a private address from here", async () => {
  const leadsTo = (...addresses: string[]) =>
    checkName("pages.example.com", isPublicAddress, async () => addresses.map((address) => ({ address })));
  await leadsTo("93.184.216.34");
  await expect(leadsTo("93.184.216.34", "10.0.0.1")).rejects.toThrow("private network");
  await expect(leadsTo("::1")).rejects.toThrow("private network");
  // Behind a proxy a computer often knows no name of the outside.
  await checkName("pages.example.com", isPublicAddress, () => Promise.reject(new Error("ENOTFOUND")));
});

test.each([
  ["93.184.216.34", [], true],
  ["[2606:2800:220:1:248:1893:25c8:1946]", [], true],
  ["[::1]", [], false],
  ["168.63.129.16", [], false],
  ["metadata.google.internal", ["93.184.216.34"], false],
  ["localhost", ["93.184.216.34"], false],
  ["auth.example.com", ["93.184.216.34"], true],
  ["auth.example.com", ["93.184.216.34", "169.254.169.254"], false],
])("the host %s, which is %j, is public: %s", async (host, addresses, isPublic) => {
  const look = async () => addresses.map((address) => ({ address }));
  expect(await isPublicHost(host, look)).toBe(isPublic);
});
