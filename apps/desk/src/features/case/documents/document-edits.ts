import { confirmsIdentityByDefault, type DocumentGroup, type SigningMethod } from '@keyturn/contract';
import type { DeskCase, DeskDocument, DocumentEdit } from '@keyturn/contract/staff';
import type { StatusTone } from '@keyturn/ui/content/status-tag.tsx';
import type { StoredValues } from '../edits/edit-dialog.tsx';
import type { EditField } from '../edits/edit-fields.tsx';
import { emptyToNull, type FormValues } from '../edits/form-values.ts';

export type DocumentField = 'title' | 'group' | 'signing' | 'binds_on' | 'received_on' | 'confirm_identity';

export const signingOptions: readonly { value: SigningMethod | ''; name: string }[] = [
  { value: '', name: 'No signature' },
  { value: 'simple', name: 'On the screen' },
  { value: 'deed', name: 'On paper, as a deed with a witness' },
  { value: 'wet_ink', name: 'On paper' },
];

export const confirmIdentityLabel = 'Ask clients to confirm their identity when they sign';

/** The fields of a document’s form. @param groups the folders, as the firm names them */
export const documentFields = (
  groups: readonly { value: DocumentGroup; name: string }[],
): readonly EditField<DocumentField>[] => [
  { name: 'title', label: 'Title', maxLength: 300 },
  { name: 'group', label: 'Folder', kind: 'choice', options: groups },
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
  {
    name: 'received_on',
    label: 'Signed paper received on',
    hint: 'Only for signatures on paper.',
    kind: 'day',
  },
];

export const storedDocument = (document: DeskDocument): StoredValues<DocumentField> => ({
  version: document.version,
  values: {
    title: document.title,
    group: document.group,
    signing: document.signing ?? '',
    binds_on: document.binds_on ?? '',
    received_on: document.received_on ?? '',
    confirm_identity: (
      document.signing === 'simple'
        ? document.confirm_identity
        : confirmsIdentityByDefault({ ...document, signing: 'simple' })
    )
      ? 'yes'
      : '',
  },
});

/** Converts the changed fields of the form to an edit. */
export function documentEdit(
  { title, group, confirm_identity, ...others }: Partial<FormValues<DocumentField>>,
  version: string,
): DocumentEdit {
  return {
    version,
    changes: {
      ...(title === undefined ? {} : { title }),
      ...(group === undefined ? {} : { group: group as DocumentGroup }),
      ...(confirm_identity === undefined ? {} : { confirm_identity: confirm_identity !== '' }),
      ...(emptyToNull(others) as DocumentEdit['changes']),
    },
  };
}

/** Describes the state of a document’s signatures; null if it needs none. */
export function signingState(
  { signing, received_on, signatures, superseded_by }: DeskDocument,
  { clients }: Pick<DeskCase, 'clients'>,
): { tone: StatusTone; name: string } | null {
  if (signing === null) return signatures.length > 0 ? { tone: 'good', name: 'Signed' } : null;
  if (superseded_by !== null) return { tone: 'off', name: 'Replaced' };
  if (signing !== 'simple')
    return received_on === null
      ? { tone: 'to-do', name: 'Paper not received' }
      : { tone: 'good', name: 'Received signed' };
  const missing = clients.filter(({ id }) => !signatures.some(({ client }) => client.id === id));
  if (missing.length === 0) return { tone: 'good', name: 'Signed by everyone' };
  return { tone: 'to-do', name: `Waiting for ${missing.map(({ first_name }) => first_name).join(' and ')}` };
}
