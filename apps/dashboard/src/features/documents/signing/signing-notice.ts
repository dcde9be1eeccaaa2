import type { CaseDocument, Matter } from '@keyturn/contract';
import { joinNames } from '../document-labels.ts';

/** Explains what signing a document means and whether other clients must sign it too. */
export function signingNotice(document: CaseDocument, matter: Matter | undefined): string {
  const others = (document.signature?.others ?? []).filter(({ signed_at }) => signed_at === null);
  return [
    'Typing your name counts as signing.',
    ...(isContractBeforeExchange(document, matter)
      ? ['You are only committed when contracts are exchanged.']
      : []),
    'If anything is unclear, call us before you sign.',
    ...(others.length > 0
      ? [`${joinNames(others.map(({ name }) => name))} ${others.length === 1 ? 'signs' : 'sign'} separately.`]
      : []),
  ].join(' ');
}

/** Recognises a contract in the folder of contracts by its matter, and in the folder of documents to sign by its title. */
function isContractBeforeExchange({ title, group }: CaseDocument, matter: Matter | undefined): boolean {
  if (matter === undefined || matter.exchanged_on !== null || matter.completed_on !== null) return false;
  if (matter.matter_type !== 'sale' && matter.matter_type !== 'purchase') return false;
  return group === 'contract' || (group === 'to-sign' && /^contract\b.*\b(sale|purchase)\b/i.test(title));
}
