import type { DocumentGroup } from '@keyturn/contract';
import type { DeskCase, DeskClient, DeskDocument } from '@keyturn/contract/staff';

export const audienceLabel = 'Shown to';

/** The choice of everyone on the case. The others are the references of clients. */
export const everyone = { value: '', name: 'Everyone on the case' };

/** Shown until the member has decided. No reference consists of a space. */
export const undecided = { value: ' ', name: 'Choose' };

const nameOf = ({ first_name, last_name }: DeskClient) => `${first_name} ${last_name}`;

/** @param current the client whom the document is for, who may have left the case */
export function audienceOptions(
  clients: readonly DeskClient[],
  current: DeskDocument['for_client'],
): { value: string; name: string }[] {
  const left = clients.some(({ reference }) => reference === current?.reference) ? null : current;
  return [
    everyone,
    ...clients.map((client) => ({ value: client.reference, name: `Only ${nameOf(client)}` })),
    ...(left ? [{ value: left.reference, name: `Only ${left.name}, who has left the case` }] : []),
  ];
}

/** What a member must know about a document for one client; undefined for one for everyone. @param chosen null: nothing yet */
export function audienceHint(
  chosen: string | null,
  { clients, seen_by }: Pick<DeskCase, 'clients'> & Pick<DeskDocument, 'seen_by'>,
): string | undefined {
  if (chosen === everyone.value) return undefined;
  const chosenId = clients.find(({ reference }) => reference === chosen)?.id;
  const others = seen_by.filter(({ client }) => client.id !== chosenId).map(({ client }) => client.name);
  return [
    'This hides it on the screen only. You must still tell each client what matters to them, and report to the lender what it asks.',
    ...(others.length > 0 ? [`Already opened by ${others.join(' and ')}.`] : []),
  ].join(' ');
}

/**
 * Finds who can see a new document until the member has decided. Identity results, source of funds and gifts are one client’s, so
 * nothing is preselected for their folder where several clients are on the case.
 * @returns null if the member has to decide
 */
export function defaultAudience(group: DocumentGroup, clients: readonly DeskClient[]): string | null {
  if (group !== 'identity-funds') return everyone.value;
  const [only, ...others] = clients;
  return only && others.length === 0 ? only.reference : null;
}

/** Describes in the list of documents whom a document is for. */
export const audienceText = (
  { id, name }: NonNullable<DeskDocument['for_client']>,
  { clients }: Pick<DeskCase, 'clients'>,
): string =>
  clients.some((client) => client.id === id) ? `only for ${name}` : `only for ${name}, who has left the case`;
