import { isIPv6 } from 'node:net';

/**
 * The part of an address that one attacker cannot change at will: an IPv4 address whole, of an IPv6 address the
 * network (/64, the least that a line is given). What is no address at all stands for itself.
 */
export function throttledAddress(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const groups = expand(plain);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight numbers of an IPv6 address. */
function expand(address: string): number[] {
  const withoutDots = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, a, b, c, d) =>
    [a * 256 + Number(b), c * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );
  const [left = '', right] = withoutDots.split('::');
  const numbers = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  if (right === undefined) return numbers(left);
  const zeros = new Array(8 - numbers(left).length - numbers(right).length).fill(0);
  return [...numbers(left), ...zeros, ...numbers(right)];
}
