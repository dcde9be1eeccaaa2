import ipaddr from 'ipaddr.js';

/**
 * Tells whether an IP address belongs to the public internet: not private, loopback, link-local, shared
 * (carrier-grade NAT), reserved, or an IPv6 form of such an IPv4 address. A text that is not an address is not
 * public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // Converts IPv4-mapped addresses such as ::ffff:127.0.0.1.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // Outside 2000::/3 there are forms that the library counts as unicast, such as ::127.0.0.1.
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
