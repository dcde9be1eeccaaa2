/** Where documents are kept: by the SHA-256 of their content, in hex. */
export interface FileStore {
  /** Durable when it resolves. @returns the SHA-256 */
  put(content: Buffer): Promise<string>;
  has(sha256: string): Promise<boolean>;
}

/** Why a document cannot be signed here: no signature page can be put behind it. Null for one that can. */
export type FindSigningFault = (document: Buffer) => Promise<string | null>;
