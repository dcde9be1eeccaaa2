import { limitAlerts } from '../limit-alerts.ts';

/**
 * Creates a check of whether requests to a host name are served. A page of another name that resolves to this server
 * gets no answers.
 * @param hosts names, with a port unless it is 443 or 80; empty: any host is served
 * @param warn called with a message that names the first refused host, and then at most once an hour
 * @returns a function that expects the value of the `Host` header
 */
export function createHostCheck(
  hosts: readonly string[],
  warn: (message: string) => void,
): (host: string | undefined) => boolean {
  if (hosts.length === 0) return () => true;
  const served = new Set(hosts.map(withoutDefaultPort));
  const warnOnceAnHour = limitAlerts(warn, () => new Date());
  return (host) => {
    if (host !== undefined && served.has(withoutDefaultPort(host))) return true;
    warnOnceAnHour('host', refusedMessage(host), {});
    return false;
  };
}

// Some proxies and libraries send the default port too, which browsers leave out.
const withoutDefaultPort = (host: string): string => host.toLowerCase().replace(/:(?:443|80)$/, '');

const refusedMessage = (host: string | undefined): string =>
  `a request to ${host ? `the host ${printable(host)}` : 'no host'} was refused: have the proxy pass on the Host header, or list every host that is used in KEYTURN_ALLOWED_HOSTS`;

/** Anyone can send any name. */
const printable = (host: string): string => host.slice(0, 100).replaceAll(/[^!-~]/g, '?');
