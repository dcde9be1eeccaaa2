import type { CaseDocument, DocumentGroup, MatterType } from '@keyturn/contract';

/** One document of a list: its newest version, and those before it, the later ones first. */
export interface DocumentLine {
  document: CaseDocument;
  earlier: CaseDocument[];
}

/**
 * Versions folded under the newest one, unread first, then the newest. A version whose later one is not in the list
 * stands for itself.
 */
export function documentLines(documents: CaseDocument[]): DocumentLine[] {
  const byId = new Map(documents.map((document) => [document.id, document]));
  const lines = new Map<string, DocumentLine>();
  for (const document of documents) {
    const newest = newestOf(document, byId);
    const line = lines.get(newest.id) ?? { document: newest, earlier: [] };
    if (document !== newest) line.earlier.push(document);
    lines.set(newest.id, line);
  }
  for (const { earlier } of lines.values()) earlier.sort((one, other) => other.version - one.version);
  return [...lines.values()].sort(unreadThenNewest);
}

/** The lines of one group of the matters of a kind. */
export const linesOfGroup = (
  lines: DocumentLine[],
  matterType: MatterType,
  group: DocumentGroup,
): DocumentLine[] =>
  lines.filter(({ document }) => document.matter_type === matterType && document.group === group);

/** The lines whose title or file name has every word of the query, whatever the case and the accents. */
export function searchLines(lines: DocumentLine[], query: string): DocumentLine[] {
  const words = plain(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return lines;
  return lines.filter(({ document }) => {
    const name = plain(`${document.title} ${document.file_name}`);
    return words.every((word) => name.includes(word));
  });
}

export const isUnread = ({ document }: DocumentLine): boolean => document.read_at === null;

function newestOf(document: CaseDocument, byId: Map<string, CaseDocument>): CaseDocument {
  const seen = new Set<CaseDocument>();
  let newest = document;
  while (newest.superseded_by && !seen.has(newest)) {
    seen.add(newest);
    const later = byId.get(newest.superseded_by);
    if (!later) break;
    newest = later;
  }
  return newest;
}

const unreadThenNewest = (one: DocumentLine, other: DocumentLine) =>
  Number(isUnread(other)) - Number(isUnread(one)) ||
  other.document.shared_at.localeCompare(one.document.shared_at) ||
  one.document.title.localeCompare(other.document.title);

/** Without case and accents: "Résumé" → "resume". */
const plain = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
