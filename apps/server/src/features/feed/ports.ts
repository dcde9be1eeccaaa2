/** Stores files under the SHA-256 of their content, in hex. */
export interface FileStore {
  /** Stores content durably. @returns the SHA-256 */
  put(content: Buffer): Promise<string>;
  has(sha256: string): Promise<boolean>;
}

/** @returns why no signature page can be added to a document; null if one can */
export type FindSigningFault = (document: Buffer) => Promise<string | null>;
