/** A place outside the installation for parts of the audit log. */
export interface AuditArchive {
  /** Recorded in the entry `audit.archived`. */
  kind: 'folder' | 's3';
  /** Stores a part durably. Parts with the same name have the same content. */
  write(name: string, content: Buffer): Promise<void>;
}
