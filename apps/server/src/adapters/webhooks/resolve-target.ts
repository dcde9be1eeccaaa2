import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Finds the IP addresses of a host of a URL. @throws if it has none */
export type ResolveTarget = (hostname: string) => Promise<string[]>;

/**
 * Creates a resolver that asks the name servers of the system. Unlike the system’s own lookup, it occupies no thread while
 * a name server does not answer, so that it cannot hold up reading files or checking passwords.
 */
export function createTargetResolver(): ResolveTarget {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    const name = hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(name) !== 0) return [name];
    // Name servers need not know this name, which always means this machine (RFC 6761).
    if (/(^|\.)localhost\.?$/i.test(name)) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const [first] = answers;
    throw first?.status === 'rejected' ? first.reason : new Error('the name has no address');
  };
}
