import { isPublicAddress } from '../../platform/public-address.ts';
import type { WebhookTargetRules } from '../../platform/webhook-target-rules.ts';

const maxLength = 2_000;

/**
 * Parses the address of an endpoint. What its name resolves to is checked whenever a message is sent.
 * @returns the address in its normal form, or why it is not allowed
 */
export function parseTarget(text: string, rules: WebhookTargetRules): { url: string } | { problem: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    return { problem: 'must be an address such as https://example.com/hook' };
  if (url.href.length > maxLength) return { problem: `must have at most ${maxLength} characters` };
  if (url.protocol === 'http:' && !rules.allowsHttp) return { problem: 'must start with https' };
  if (url.username !== '' || url.password !== '')
    return { problem: 'must not contain a user name or password' };
  if (url.hash !== '') return { problem: 'must not contain a fragment (#…)' };
  // The parser has turned forms such as 2130706433 and 0x7f.1 into 127.0.0.1.
  const literal = addressIn(url.hostname);
  if (literal !== null && !rules.allowsPrivate && !isPublicAddress(literal))
    return { problem: `must not be the private address ${literal}` };
  return { url: url.href };
}

/** @returns the IP address that a host is; null for a name */
function addressIn(hostname: string): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return /^[\d.]+$/.test(hostname) ? hostname : null;
}
