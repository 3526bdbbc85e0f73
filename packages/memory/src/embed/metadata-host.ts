import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Names under which clouds serve their metadata, which holds credentials of the machine. */
const NAMES = [
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.azure.com',
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'instance-data',
  'instance-data.ec2.internal',
];

const addresses = new BlockList();
addresses.addSubnet('169.254.0.0', 16, 'ipv4');
addresses.addSubnet('fe80::', 10, 'ipv6');
// Metadata servers outside the link-local range: Alibaba, Azure, Oracle, then AWS and Google.
for (const address of ['100.100.100.200', '168.63.129.16', '192.0.0.192']) {
  addresses.addAddress(address, 'ipv4');
}
for (const address of ['fd00:ec2::254', 'fd20:ce::254']) addresses.addAddress(address, 'ipv6');

/** IPv6 prefixes that hold an IPv4 address, with the group it starts at. */
const EMBEDDING = [
  { prefix: [0, 0, 0, 0, 0, 0], at: 6 },
  { prefix: [0, 0, 0, 0, 0, 0xffff], at: 6 },
  { prefix: [0, 0, 0, 0, 0xffff, 0], at: 6 },
  { prefix: [0x64, 0xff9b], at: 6 },
  { prefix: [0x2002], at: 1 },
];

/** Whether a host, as the URL parser or a resolver gives it, is link-local or serves cloud metadata. */
export function isMetadataHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.+$/, '');
  const address = name.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIPv4(address)) return addresses.check(address, 'ipv4');
  if (isIPv6(address)) {
    return addresses.check(address, 'ipv6') || embeddedIn(address).some(isMetadataHost);
  }
  return NAMES.some((each) => name === each || name.endsWith(`.${each}`));
}

function embeddedIn(address: string): string[] {
  const groups = groupsOf(address);
  return EMBEDDING.filter(({ prefix }) => prefix.every((group, i) => groups[i] === group)).map(
    ({ at }) =>
      groups
        .slice(at, at + 2)
        .flatMap((group) => [group >> 8, group & 0xff])
        .join('.'),
  );
}

/** The eight numbers of an IPv6 address; the URL parser writes a dotted tail as two groups. */
function groupsOf(address: string): number[] {
  const { hostname } = new URL(`http://[${address}]`);
  const [head = '', tail] = hostname.slice(1, -1).split('::');
  const numbers = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [numbers(head), numbers(tail ?? '')];
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}
