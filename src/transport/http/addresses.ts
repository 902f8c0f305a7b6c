/** The code of an error that says: the name leads to private addresses alone, and none of them may be used. */
export const PRIVATE_ADDRESS = 'ERR_PRIVATE_ADDRESS';

/** How far a host is from the public: this machine, a network of somebody's own, or everybody's. */
export type Distance = 'loopback' | 'private' | 'public';

const FOUR = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

/** Addresses that are nobody's in public. RFC 6890; RFC 6598 (shared address space). */
const distanceOfFour = (a: number, b: number, c: number): Distance => {
  if (a === 127) return 'loopback';
  const isPrivate =
    a === 10 ||
    a === 0 ||
    a >= 224 ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b <= 127) ||
    (a === 198 && (b === 18 || b === 19));
  return isPrivate ? 'private' : 'public';
};

/** The eight numbers of an IPv6 address, as the URL parser or the platform writes it. */
const numbersOf = (address: string): readonly number[] => {
  // What is written as IPv4 at the end is two of them.
  const host = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [left = '', right] = host.split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((number) => Number.parseInt(number, 16));
  const [before, after] = [read(left), read(right ?? '')];
  return [...before, ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => 0), ...after];
};

const distanceOfSix = (host: string): Distance => {
  const numbers = numbersOf(host);
  const [first = 0, second = 0] = numbers;
  const four = (index: number): Distance => {
    const [high = 0, low = 0] = numbers.slice(index);
    return distanceOfFour(high >> 8, high & 0xff, low >> 8);
  };
  const zeros = numbers.findIndex((number) => number !== 0);
  if (zeros === 7 && numbers[7] === 1) return 'loopback';
  // Mapped (RFC 4291, 2.5.5.2).
  if (zeros === 5 && numbers[5] === 0xffff) return four(6);
  // Translated (RFC 6052), and 6to4 (RFC 3056): somebody else sends it on, and to no machine as its own.
  const beyond = (index: number): Distance => (four(index) === 'public' ? 'public' : 'private');
  if (first === 0x64 && second === 0xff9b && numbers.slice(2, 6).every((number) => number === 0)) return beyond(6);
  if (first === 0x2002) return beyond(1);
  // All that is public is of 2000::/3, but for what leads elsewhere (Teredo), or nowhere (documentation). RFC 6890.
  const isElsewhere = first === 0x2001 && (second < 0x200 || second === 0xdb8);
  return first >> 13 === 1 && !isElsewhere ? 'public' : 'private';
};

/** How far an address is: IPv4 in four numbers, or IPv6 without brackets. Nothing where it is no address. */
export const distanceOfAddress = (address: string): Distance | undefined => {
  // A zone is only there where an address is of one network. RFC 4007, section 11.
  if (address.includes(':')) return address.includes('%') ? 'private' : distanceOfSix(address.toLowerCase());
  const four = FOUR.exec(address);
  return four === null ? undefined : distanceOfFour(Number(four[1]), Number(four[2]), Number(four[3]));
};

/** Names that are of no use in public. RFC 6761; RFC 6762; RFC 8375; and what networks of one's own use. */
const OWN_NAMES = /\.(local|internal|lan|home\.arpa|intranet|corp|home|private|svc)$/;

/** How far a URL's host is, as its name or address says; what a name resolves to is for the engine. */
export const distanceOf = ({ hostname }: URL): Distance => {
  const host = hostname.replace(/\.+$/, '').toLowerCase();
  const known = distanceOfAddress(host.startsWith('[') ? host.slice(1, -1) : host);
  if (known !== undefined) return known;
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  return !host.includes('.') || OWN_NAMES.test(host) ? 'private' : 'public';
};
