/** Returns the address of a database that is reached through another port of this machine, such as that of a proxy. */
export function throughPort(databaseUrl: string, port: number, hostname = '127.0.0.1'): string {
  const url = new URL(databaseUrl);
  url.host = `${hostname}:${port}`;
  // The folder of a Unix socket would take precedence.
  url.searchParams.delete('host');
  return url.href;
}
