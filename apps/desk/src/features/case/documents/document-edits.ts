import {
  confirmsIdentityByDefault,
  type DocumentGroup,
  isSignedOnPaper,
  type SigningMethod,
} from '@keyturn/contract';
import type { DeskCase, DeskDocument, DocumentEdit } from '@keyturn/contract/staff';
import type { StatusTone } from '@keyturn/ui/content/status-tag.tsx';
import type { StoredValues } from '../edits/edit-dialog.tsx';
import type { EditField } from '../edits/edit-fields.tsx';
import { emptyToNull, type FormValues } from '../edits/form-values.ts';
import { audienceHint, audienceLabel, audienceOptions, everyone } from './document-audience.ts';

/** The day on which the original of a client was received, by the reference of the client. */
type OriginalField = `original:${string}`;
export type DocumentField =
  | ('title' | 'group' | 'for_client' | 'signing' | 'binds_on' | 'received_on' | 'confirm_identity')
  | OriginalField;

const originalField = (reference: string): OriginalField => `original:${reference}`;

export const signingOptions: readonly { value: SigningMethod | ''; name: string }[] = [
  { value: '', name: 'No signature' },
  { value: 'simple', name: 'On the screen' },
  { value: 'deed', name: 'On paper, as a deed with a witness' },
  { value: 'wet_ink', name: 'On paper' },
];

export const confirmIdentityLabel = 'Ask clients to confirm their identity when they sign';

/**
 * The fields of a document’s form. Joint owners may sign counterparts, so each has an original.
 * @param groups the folders, as the firm names them
 * @param document when the form was opened
 */
export const documentFields = (
  groups: readonly { value: DocumentGroup; name: string }[],
  { clients }: Pick<DeskCase, 'clients'>,
  { for_client, seen_by }: Pick<DeskDocument, 'for_client' | 'seen_by'>,
  { signing, for_client: chosen }: { signing: string; for_client: string },
): readonly EditField<DocumentField>[] => [
  { name: 'title', label: 'Title', maxLength: 300 },
  { name: 'group', label: 'Folder', kind: 'choice', options: groups },
  {
    name: 'for_client',
    label: audienceLabel,
    hint: audienceHint(chosen, { clients, seen_by }),
    kind: 'choice',
    options: audienceOptions(clients, for_client),
  },
  {
    name: 'signing',
    label: 'Signature',
    hint: 'The clients get a task to sign it.',
    kind: 'choice',
    options: signingOptions,
  },
  {
    name: 'binds_on',
    label: 'Becomes binding',
    kind: 'choice',
    options: [
      { value: '', name: 'Not specified' },
      { value: 'signature', name: 'When it is signed' },
      { value: 'exchange', name: 'On exchange' },
      { value: 'completion', name: 'On completion' },
    ],
  },
  {
    name: 'confirm_identity',
    label: confirmIdentityLabel,
    hint: 'Only for signatures on the screen.',
    kind: 'checkbox',
    options: [
      { value: '', name: 'No' },
      { value: 'yes', name: 'Yes' },
    ],
  },
  ...(clients.length > 1 && isSignedOnPaper(signing as SigningMethod)
    ? clients.map(
        ({ reference, first_name, last_name }): EditField<DocumentField> => ({
          name: originalField(reference),
          label: `Original signed by ${first_name} ${last_name} received on`,
          kind: 'day',
        }),
      )
    : []),
  {
    name: 'received_on',
    label: 'Signed paper received on',
    hint:
      clients.length > 1
        ? 'Only for signatures on paper: when you have everyone’s signature. It is set once each original is here.'
        : 'Only for signatures on paper.',
    kind: 'day',
  },
];

export const storedDocument = (
  document: DeskDocument,
  { clients }: Pick<DeskCase, 'clients'>,
): StoredValues<DocumentField> => ({
  version: document.version,
  values: {
    title: document.title,
    group: document.group,
    for_client: document.for_client?.reference ?? everyone.value,
    signing: document.signing ?? '',
    binds_on: document.binds_on ?? '',
    received_on: document.received_on ?? '',
    ...Object.fromEntries(
      clients.map(({ reference }) => [
        originalField(reference),
        document.originals?.find(({ client_reference }) => client_reference === reference)?.received_on ?? '',
      ]),
    ),
    confirm_identity: (
      document.signing === 'simple'
        ? document.confirm_identity
        : confirmsIdentityByDefault({ ...document, signing: 'simple' })
    )
      ? 'yes'
      : '',
  },
});

/**
 * Converts the changed fields of the form to an edit.
 * @param stored the document when the form was opened, whose other originals stay
 */
export function documentEdit(
  changed: Partial<FormValues<DocumentField>>,
  version: string,
  stored: Pick<DeskDocument, 'originals'>,
): DocumentEdit {
  const { title, group, for_client, signing, binds_on, received_on, confirm_identity, ...originals } =
    changed;
  const others = Object.fromEntries(
    Object.entries({ for_client, signing, binds_on, received_on }).filter(([, value]) => value !== undefined),
  ) as Partial<FormValues>;
  return {
    version,
    changes: {
      ...(Object.keys(originals).length === 0 ? {} : { originals: withOriginals(stored, originals) }),
      ...(title === undefined ? {} : { title }),
      ...(group === undefined ? {} : { group: group as DocumentGroup }),
      ...(confirm_identity === undefined ? {} : { confirm_identity: confirm_identity !== '' }),
      ...(emptyToNull(others) as DocumentEdit['changes']),
    },
  };
}

function withOriginals(
  { originals = [] }: Pick<DeskDocument, 'originals'>,
  changed: Partial<Record<OriginalField, string>>,
): NonNullable<DocumentEdit['changes']['originals']> {
  const days = new Map(
    originals.map(({ client_reference, received_on }) => [originalField(client_reference), received_on]),
  );
  for (const [field, day = ''] of Object.entries(changed)) days.set(field as OriginalField, day);
  return [...days].flatMap(([field, received_on]) =>
    received_on ? { client: field.slice(originalField('').length), received_on } : [],
  );
}

/** Describes the state of a document’s signatures; null if it needs none. */
export function signingState(
  { signing, received_on, originals = [], signatures, superseded_by }: DeskDocument,
  { clients }: Pick<DeskCase, 'clients'>,
): { tone: StatusTone; name: string } | null {
  if (signing === null) return signatures.length > 0 ? { tone: 'good', name: 'Signed' } : null;
  if (superseded_by !== null) return { tone: 'off', name: 'Replaced' };
  const namesWithout = (signed: readonly { client: { id: string } }[]) =>
    clients
      .filter(({ id }) => !signed.some(({ client }) => client.id === id))
      .map(({ first_name }) => first_name)
      .join(' and ');
  if (signing !== 'simple') {
    if (received_on !== null) return { tone: 'good', name: 'Received signed' };
    const missing = namesWithout(originals);
    return originals.length > 0 && missing !== ''
      ? { tone: 'to-do', name: `Waiting for the original from ${missing}` }
      : { tone: 'to-do', name: 'Paper not received' };
  }
  const missing = namesWithout(signatures);
  return missing === ''
    ? { tone: 'good', name: 'Signed by everyone' }
    : { tone: 'to-do', name: `Waiting for ${missing}` };
}
