/** Thrown for a document that cannot be read or extended. The message says why, in words for staff. */
export class UnsupportedDocumentError extends Error {
  override name = 'UnsupportedDocumentError';
}
