import type { CaseDocument, DocumentGroup, MatterType } from '@keyturn/contract';

/** One entry of a document list: the newest version, with its earlier versions newest first. */
export interface ListedDocument {
  document: CaseDocument;
  earlierVersions: CaseDocument[];
}

/**
 * Groups versions under their newest one, and sorts unread documents first, then newest first. A version whose
 * successor is missing from `documents` gets its own entry.
 */
export function listDocuments(documents: CaseDocument[]): ListedDocument[] {
  const byId = new Map(documents.map((document) => [document.id, document]));
  const listed = new Map<string, ListedDocument>();
  for (const document of documents) {
    const newest = newestVersion(document, byId);
    const entry = listed.get(newest.id) ?? { document: newest, earlierVersions: [] };
    if (document !== newest) entry.earlierVersions.push(document);
    listed.set(newest.id, entry);
  }
  for (const { earlierVersions } of listed.values()) earlierVersions.sort((a, b) => b.version - a.version);
  return [...listed.values()].sort(unreadThenNewest);
}

/**
 * Returns the documents of one group, from all matters of the given type. *To sign* also lists what the client must sign
 * from other folders.
 */
export const documentsInGroup = (
  listed: ListedDocument[],
  matterType: MatterType,
  group: DocumentGroup,
): ListedDocument[] =>
  listed.filter(
    (entry) =>
      entry.document.matter_type === matterType &&
      (entry.document.group === group || (group === 'to-sign' && isToSign(entry))),
  );

/** Returns the documents whose title or file name contains every word of the query, ignoring case and accents. */
export function searchDocuments(listed: ListedDocument[], query: string): ListedDocument[] {
  const words = normalise(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return listed;
  return listed.filter(({ document }) => {
    const name = normalise(`${document.title} ${document.file_name}`);
    return words.every((word) => name.includes(word));
  });
}

/** Whether this client must sign the newest version. */
export const isToSign = ({ document }: ListedDocument): boolean => document.signature?.required === true;

/** Whether the newest version is unread. */
export const isUnread = ({ document }: ListedDocument): boolean => document.read_at === null;

function newestVersion(document: CaseDocument, byId: Map<string, CaseDocument>): CaseDocument {
  // Bad data may contain a cycle of versions.
  const seen = new Set<CaseDocument>();
  let newest = document;
  while (newest.superseded_by && !seen.has(newest)) {
    seen.add(newest);
    const successor = byId.get(newest.superseded_by);
    if (!successor) break;
    newest = successor;
  }
  return newest;
}

const unreadThenNewest = (a: ListedDocument, b: ListedDocument) =>
  Number(isUnread(b)) - Number(isUnread(a)) ||
  b.document.shared_at.localeCompare(a.document.shared_at) ||
  a.document.title.localeCompare(b.document.title);

/** Removes case and accents: "Résumé" becomes "resume". */
const normalise = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
