/**
 * Hashes a file in one of Node's threads, so that 25 MB do not keep the server from answering others.
 * @returns the SHA-256 in hex
 */
export const sha256Of = async (content: Buffer): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', content as Buffer<ArrayBuffer>)).toString('hex');
