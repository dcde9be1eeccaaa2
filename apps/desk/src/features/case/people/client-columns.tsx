import type { DeskClient, StaffRole } from '@keyturn/contract/staff';
import { formatMoment } from '@keyturn/format/dates';
import { mailtoUrl } from '@keyturn/ui/content/mail-address.ts';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { Link } from 'wouter';
import { Menu } from '../../../ui/overlays/menu.tsx';
import type { Column } from '../../../ui/table/table.tsx';
import styles from '../case.module.css';
import { type AskedQuestion, nameOf, type Question } from './access-dialog.tsx';
import { isAddressInDoubt } from './address-in-doubt.ts';
import { ClientPhone } from './client-phone.tsx';

interface ManagedAccess {
  role: StaffRole;
  canInvite: boolean;
  canRemove: boolean;
  ask(asked: AskedQuestion): void;
}

/**
 * Returns the columns of the clients of a case.
 * @param access with which role a member manages clients, whether the firm can invite them, whether one can be removed from
 *   the case, and how a question about one is asked; null for a member who may not manage them
 */
export function columnsFor(today: string, access: ManagedAccess | null): Column<DeskClient>[] {
  return [
    {
      key: 'name',
      heading: 'Client',
      isRowHeader: true,
      cell: ({ title, first_name, last_name }) => [title, first_name, last_name].filter(Boolean).join(' '),
    },
    { key: 'phone', heading: 'Phone number', cell: (client) => <ClientPhone client={client} /> },
    { key: 'email', heading: 'Email', cell: (client) => <Email client={client} /> },
    { key: 'access', heading: 'Access', cell: (client) => <Access client={client} /> },
    {
      key: 'signed_in',
      heading: 'Last sign-in',
      cell: ({ last_signed_in_at }) => last_signed_in_at && formatMoment(last_signed_in_at, today),
    },
    ...(access
      ? [
          {
            key: 'actions',
            heading: 'Actions',
            isHeadingHidden: true,
            cell: (client: DeskClient) => {
              const ask = (question: Question) => access.ask({ question, client });
              const remove = {
                name: 'Remove from this case',
                onChoose: () => ask('remove'),
                isDangerous: true,
              };
              const items = [...commandsFor(client, access, ask), ...(access.canRemove ? [remove] : [])];
              return (
                <span className={styles.rowLinks}>
                  {items.length > 0 && (
                    <Menu look="plain" about={`for ${nameOf(client)}`} items={items}>
                      Access
                    </Menu>
                  )}
                  <Link to={`/clients/${client.id}`}>
                    Data and holds<VisuallyHidden> of {nameOf(client)}</VisuallyHidden>
                  </Link>
                </span>
              );
            },
          },
        ]
      : []),
  ];
}

/** The client’s address. If the client has changed it, also the one that the firm’s system has. */
function Email({ client }: { client: DeskClient }) {
  const { email, own_email, unrestored_email } = client;
  const today = useToday();
  const domain = email.lastIndexOf('@') + 1;
  const address = (
    <>
      {email.slice(0, domain)}
      <wbr />
      {email.slice(domain)}
    </>
  );
  return (
    <div className={styles.address}>
      {unrestored_email === null ? <a href={mailtoUrl(email)}>{address}</a> : address}
      {unrestored_email !== null ? (
        <p className={styles.soft}>
          {isAddressInDoubt(client)
            ? `Someone else may be reading this address: a change to it was undone, but the client’s previous address, ${unrestored_email}, now belongs to another client. Call them, and send another address from your system.`
            : 'A change of this address was undone, so someone else may be reading the client’s email, or have had their password. They get no links until you have checked who they are and reset their sign-in.'}
        </p>
      ) : (
        own_email && (
          <p className={styles.soft}>
            Changed in the client’s account
            {own_email.changed && ` ${formatMoment(own_email.changed.at, today)}`}. Your system has{' '}
            {own_email.firm_email}.
          </p>
        )
      )}
    </div>
  );
}

/** Describes whether a client can sign in, or the state of their invitation. */
function Access({ client }: { client: DeskClient }) {
  const { is_activated, is_disabled, unrestored_email, invitation, open_sessions } = client;
  const today = useToday();
  if (is_disabled) return <StatusTag tone="held">Disabled</StatusTag>;
  if (unrestored_email !== null) return <StatusTag tone="held">Email change undone</StatusTag>;
  if (is_activated)
    return (
      <StatusTag tone="good">
        Has access
        {open_sessions > 0 && `, ${open_sessions === 1 ? '1 session' : `${open_sessions} sessions`}`}
      </StatusTag>
    );
  if (!invitation) return <StatusTag tone="to-do">Not invited</StatusTag>;
  const { is_reset } = invitation;
  return invitation.state === 'open' ? (
    <StatusTag tone="moving">
      {is_reset ? 'Sign-in reset' : 'Invited'} {formatMoment(invitation.sent_at, today)}
    </StatusTag>
  ) : (
    <StatusTag tone="held">{is_reset ? 'Link after a reset expired' : 'Invitation expired'}</StatusTag>
  );
}

function commandsFor(
  client: DeskClient,
  { role, canInvite }: ManagedAccess,
  ask: (question: Question) => void,
) {
  const { is_activated, is_disabled, own_email, unrestored_email } = client;
  if (is_disabled)
    return role === 'admin' ? [{ name: 'Let them sign in again', onChoose: () => ask('enable') }] : [];
  const disable = { name: 'Disable access', onChoose: () => ask('disable'), isDangerous: true };
  const reset = { name: 'Reset the sign-in…', onChoose: () => ask('reset'), isDangerous: true };
  if (unrestored_email !== null) {
    const canReset = !isAddressInDoubt(client) || (own_email && own_email.firm_email !== unrestored_email);
    return canReset ? [reset, disable] : [disable];
  }
  return is_activated
    ? [
        { name: 'Send a password link', onChoose: () => ask('password') },
        reset,
        { name: 'Sign out everywhere', onChoose: () => ask('sign-out'), isDangerous: true },
        disable,
      ]
    : [...(canInvite ? [{ name: 'Send an invitation', onChoose: () => ask('invite') }] : []), disable];
}
