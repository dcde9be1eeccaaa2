/** A place outside the installation for parts of the audit log. */
export interface AuditArchive {
  /** For the audit log. */
  kind: 'folder' | 's3';
  /** Stores a part durably. Parts with the same name have the same content. */
  write(name: string, content: Buffer): Promise<void>;
}
