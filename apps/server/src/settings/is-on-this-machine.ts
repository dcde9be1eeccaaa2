/** Whether an address leads to this machine, so that no network carries what is sent there. */
export const isOnThisMachine = (host: string): boolean =>
  host === 'localhost' || /^\[?::1\]?$/.test(host) || /^127(\.\d+){3}$/.test(host);
