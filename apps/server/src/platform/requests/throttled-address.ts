import ipaddr from 'ipaddr.js';

/**
 * Returns the part of an IP address that one attacker cannot change at will: the whole of an IPv4 address, and the
 * /64 network of an IPv6 address, the smallest network that is assigned to a customer. Text that is not an address is
 * returned unchanged.
 */
export function throttledAddress(address: string): string {
  if (plainIpv4.test(address) || !ipaddr.isValid(address)) return address;
  // `process` unwraps IPv4 addresses that are mapped into IPv6.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** Decimal numbers without leading zeros: nearly every address, which parsing would not change. */
const plainIpv4 = /^(?:(?:0|[1-9]\d{0,2})(?:\.|$)){4}$/;
