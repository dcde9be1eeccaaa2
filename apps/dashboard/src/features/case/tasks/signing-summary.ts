import { bindingNotices, type Task } from '@keyturn/contract';

/** Says how the document of a task is signed and what signing it means; empty for other tasks. */
export function signingSummary({ kind, signing, binds_on }: Task): string {
  if (kind !== 'sign_document') return '';
  return [
    ...(signing === 'deed'
      ? ['You sign it on paper in front of a witness, then post or bring us the original.']
      : signing === 'wet_ink'
        ? ['You sign it on paper with a pen, then post or bring us the original.']
        : []),
    ...(binds_on ? [bindingNotices[binds_on]] : []),
  ].join(' ');
}
