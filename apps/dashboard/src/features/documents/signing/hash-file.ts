/**
 * Computes the SHA-256 of a file in hex.
 * @returns undefined on a page without HTTPS, where browsers offer no way to compute it
 */
export async function hashFile(file: Blob): Promise<string | undefined> {
  // The type does not say that it is missing there.
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (!subtle) return undefined;
  const digest = new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
