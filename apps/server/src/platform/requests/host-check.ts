/**
 * Creates a check of whether requests to a host name are served. A page of another name that resolves to this server
 * gets no answers.
 * @param hosts names in lower case, with a port if it is not the usual one; empty: any host is served
 * @returns a function that expects the value of the `Host` header
 */
export function createHostCheck(hosts: readonly string[]): (host: string | undefined) => boolean {
  if (hosts.length === 0) return () => true;
  const served = new Set(hosts);
  return (host) => host !== undefined && served.has(host.toLowerCase());
}
