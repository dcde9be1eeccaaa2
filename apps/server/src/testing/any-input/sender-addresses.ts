let addresses = 0;

/** Returns another address for each request, so that no limit by address rejects it. */
export function nextAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}
