import ipaddr from "ipaddr.js";

/** Address ranges that are not of the public internet. Source: the IANA special-purpose address registries. */
export const privateRanges: readonly string[] = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "224.0.0.0/3",
  "168.63.129.16/32",
  "::/3",
  "4000::/2",
  "8000::/1",
];

const rules = privateRanges.map((range) => ipaddr.parseCIDR(range));

/** No dot, or an ending that is set aside, or in use, for what is not public. */
const privateName = /^[^.]*$|\.(local|localhost|internal|intranet|lan|corp|home|private|home\.arpa)$/i;

/** Whether a host that is written as an address is one of a private range; a name is looked at when it is looked up. */
export function isPrivateHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  // Chromium's and curl's other ways to write an address: 2130706433, 0x7f.1.
  if (/^(0x[\da-f]+|\d+)(\.(0x[\da-f]+|\d+)){0,3}$/i.test(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare))
    return true;
  if (!ipaddr.isValid(bare)) return privateName.test(bare);
  const address = ipaddr.process(bare);
  return rules.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}
