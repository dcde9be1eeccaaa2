import { bindingNotices, type CaseDocument } from '@keyturn/contract';
import { joinNames } from '@keyturn/format/join-names';
import { formatDay } from '@keyturn/format/london-time';

/** Explains why a document is signed on paper, and what signing it means. */
export function paperNotice(signature: NonNullable<CaseDocument['signature']>): string {
  return [
    signature.signing === 'deed'
      ? 'This is a deed: you sign it on paper, with a pen, while a witness who is in the room watches.'
      : 'You sign this on paper, with a pen.',
    'It can’t be signed on this screen.',
    ...(signature.binds_on ? [bindingNotices[signature.binds_on]] : []),
    'If anything is unclear, call us before you sign.',
  ].join(' ');
}

/** The steps of signing, between printing the document and sending it to the firm. */
export function paperSteps(signature: NonNullable<CaseDocument['signature']>): string[] {
  const isDeed = signature.signing === 'deed';
  const others = signature.others
    .filter(({ signed_at, original_received_on }) => signed_at === null && !original_received_on)
    .map(({ name }) => name);
  const verb = others.length === 1 ? 'signs' : 'sign';
  return [
    ...(isDeed
      ? [
          'Choose a witness: someone aged 18 or over who isn’t named in the deed. Avoid relatives and people you live with, because lenders may refuse them.',
          'Sign with a pen where your name is. Your witness must be in the room and watch you sign: a video call isn’t enough. Don’t write a date: we add it.',
          'Your witness then signs next to your signature, and writes their name and address.',
        ]
      : [
          'Sign with a pen where your name is. If there’s a space for a witness, sign in front of them, in the same room. They then sign too, and write their name and address.',
        ]),
    ...(others.length > 0
      ? [
          `${joinNames(others)} ${verb} too, on the same paper or on another print${isDeed ? ', also in front of a witness. It can be the same witness' : ''}.`,
        ]
      : []),
  ];
}

/** Says which originals of single clients the firm has received, and which are missing once one is there. */
export function receivedOriginals({
  original_received_on: own,
  others,
}: NonNullable<CaseDocument['signature']>): string[] {
  const missing = others.filter((other) => !other.original_received_on).map(({ name }) => name);
  return [
    ...(own ? [`We received your original on ${formatDay(own)}.`] : []),
    ...others.flatMap(({ name, original_received_on: day }) =>
      day ? [`We received ${name}’s original on ${formatDay(day)}.`] : [],
    ),
    ...(own && missing.length > 0
      ? [`We’re waiting for the signed original from ${joinNames(missing)}.`]
      : []),
  ];
}
