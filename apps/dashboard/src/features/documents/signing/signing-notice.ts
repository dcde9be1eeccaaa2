import { bindingNotices, type CaseDocument } from '@keyturn/contract';
import { joinNames } from '@keyturn/format/join-names';

/** Explains what signing a document on the screen means and whether other clients must sign it too. */
export function signingNotice({ signature }: Pick<CaseDocument, 'signature'>): string {
  const others = namesOfUnsigned(signature);
  return [
    'Typing your name counts as signing. Deeds can’t be signed this way.',
    ...(signature?.binds_on ? [bindingNotices[signature.binds_on]] : []),
    'If anything is unclear, call us before you sign.',
    ...(others.length > 0
      ? [`${joinNames(others)} ${others.length === 1 ? 'signs' : 'sign'} separately.`]
      : []),
  ].join(' ');
}

/** Returns the names of the other clients who still have to sign. */
export const namesOfUnsigned = (signature: CaseDocument['signature']): string[] =>
  (signature?.others ?? []).filter(({ signed_at }) => signed_at === null).map(({ name }) => name);
