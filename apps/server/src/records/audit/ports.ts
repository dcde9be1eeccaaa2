/** A place outside the installation for parts of the audit log. */
export interface AuditArchive {
  /** Recorded in the entry `audit.archived`. */
  kind: 'folder' | 's3';
  /**
   * Stores a part durably. Parts with the same name have the same content.
   * @param part.isFirst whether no part was archived before
   * @throws if the place may be another one than that of the earlier parts
   */
  write(part: { name: string; content: Buffer; isFirst: boolean }): Promise<void>;
}
