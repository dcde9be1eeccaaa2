import type { DeskClient, StaffRole } from '@keyturn/contract/staff';
import { mailtoUrl } from '@keyturn/dashboard/ui/content/mail-address.ts';
import { StatusTag } from '@keyturn/dashboard/ui/content/status-tag.tsx';
import { VisuallyHidden } from '@keyturn/dashboard/ui/content/visually-hidden.tsx';
import { formatMoment } from '@keyturn/dashboard/ui/format/format-date.ts';
import { useToday } from '@keyturn/dashboard/ui/format/use-today.ts';
import { useState } from 'react';
import { Link } from 'wouter';
import { callStaff, useMember } from '../../../api/desk-api.ts';
import { EmptyState, Section } from '../../../ui/base/page.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { type Column, Table } from '../../../ui/table/table.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';
import { isAddressInDoubt } from './address-in-doubt.ts';
import { ClientPhone, RecentPhoneNotices } from './client-phone.tsx';
import { ResetDialog } from './reset-dialog.tsx';

type Question = 'invite' | 'password' | 'reset' | 'sign-out' | 'disable' | 'enable';

interface Asked<Of extends Question> {
  question: Of;
  client: DeskClient;
}

/** A question that needs no more than a yes. */
type PlainQuestion = Exclude<Question, 'reset'>;

/** The clients of the case with their access and its actions, and all other people on the case. */
export function PeoplePart({ deskCase, changes, mayEdit }: CasePartProps) {
  const today = useToday();
  const { role } = useMember();
  const [asked, setAsked] = useState<Asked<Question> | null>(null);
  const columns: Column<DeskClient>[] = [
    {
      key: 'name',
      heading: 'Client',
      isRowHeader: true,
      cell: ({ title, first_name, last_name }) => [title, first_name, last_name].filter(Boolean).join(' '),
    },
    { key: 'phone', heading: 'Telephone', cell: (client) => <ClientPhone client={client} /> },
    { key: 'email', heading: 'Email', cell: (client) => <Email client={client} /> },
    { key: 'access', heading: 'Access', cell: (client) => <Access client={client} /> },
    {
      key: 'signed_in',
      heading: 'Last sign-in',
      cell: ({ last_signed_in_at }) => last_signed_in_at && formatMoment(last_signed_in_at, today),
    },
    ...(mayEdit
      ? [
          {
            key: 'actions',
            heading: 'Actions',
            isHeadingHidden: true,
            cell: (client: DeskClient) => {
              const items = commandsFor(client, role, (question) => setAsked({ question, client }));
              return (
                <span className={styles.rowLinks}>
                  {items.length > 0 && (
                    <Menu look="plain" about={`for ${nameOf(client)}`} items={items}>
                      Access
                    </Menu>
                  )}
                  <Link href={`/clients/${client.id}`}>
                    Data and holds<VisuallyHidden> of {nameOf(client)}</VisuallyHidden>
                  </Link>
                </span>
              );
            },
          },
        ]
      : []),
  ];
  const handlers = deskCase.handlers.map(({ name, role, phone, email }) => ({
    name,
    role,
    contact: `${phone}, ${email}`,
  }));
  const parties = deskCase.matters.flatMap((matter) =>
    matter.parties.map(({ role, name, contact }) => ({ name, role: partyNames[role], contact })),
  );
  return (
    <>
      <Section title="Clients">
        <RecentPhoneNotices clients={deskCase.clients} />
        <Table
          label="Clients of the case"
          columns={columns}
          query={{ data: deskCase.clients, error: null, isFetching: false, refetch: changes.refresh }}
          keyOf={({ id }) => id}
          empty={<EmptyState title="This case has no clients." />}
          isMain
        />
      </Section>
      <Section title="Others">
        <dl className={styles.definitions}>
          {[...handlers, ...parties].map(({ name, role, contact }) => (
            <div key={`${role} ${name}`}>
              <dt>{role}</dt>
              <dd>
                {name}
                {contact && <span className={styles.soft}> {contact}</span>}
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      {asked?.question === 'reset' && (
        <ResetDialog
          // After the case is read again, the client is newer than the one that the dialog was opened for.
          client={deskCase.clients.find(({ id }) => id === asked.client.id) ?? asked.client}
          changes={changes}
          onClose={() => setAsked(null)}
        />
      )}
      {asked && isPlain(asked) && (
        <FormDialog
          open
          {...questionTexts(asked)}
          onSubmit={() => changes.make(send(asked), doneText(asked))}
          onClose={() => setAsked(null)}
        >
          <p>{consequences[asked.question]}</p>
        </FormDialog>
      )}
    </>
  );
}

const isPlain = (asked: Asked<Question>): asked is Asked<PlainQuestion> => asked.question !== 'reset';

const partyNames = {
  other_side: 'Other side’s lawyer',
  estate_agent: 'Estate agent',
  lender: 'Lender',
  broker: 'Broker',
} as const;

/** The client’s address. If the client has changed it, also the one that the firm’s system has. */
function Email({ client }: { client: DeskClient }) {
  const { email, own_email, unrestored_email } = client;
  const today = useToday();
  return (
    <div>
      {unrestored_email === null ? <a href={mailtoUrl(email)}>{email}</a> : email}
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

const nameOf = ({ first_name, last_name }: DeskClient) => `${first_name} ${last_name}`;

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

function commandsFor(client: DeskClient, role: StaffRole, ask: (question: Question) => void) {
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
    : [{ name: 'Send an invitation', onChoose: () => ask('invite') }, disable];
}

function send({ question, client: { id } }: Asked<PlainQuestion>): Promise<unknown> {
  const params = { id };
  if (question === 'invite') return callStaff('POST /staff/clients/{id}/invitation', { params });
  if (question === 'password') return callStaff('POST /staff/clients/{id}/password-link', { params });
  if (question === 'disable') return callStaff('POST /staff/clients/{id}/disable', { params });
  if (question === 'enable') return callStaff('POST /staff/clients/{id}/enable', { params });
  return callStaff('DELETE /staff/clients/{id}/sessions', { params });
}

function questionTexts({ question, client }: Asked<PlainQuestion>) {
  const name = nameOf(client);
  switch (question) {
    case 'invite':
      return { title: `Invite ${name}?`, action: 'Send the invitation' };
    case 'password':
      return { title: `Send ${name} a password link?`, action: 'Send the link' };
    case 'sign-out':
      return { title: `Sign ${name} out everywhere?`, action: 'Sign out', look: 'danger' as const };
    case 'disable':
      return { title: `Disable access for ${name}?`, action: 'Disable access', look: 'danger' as const };
    case 'enable':
      return { title: `Let ${name} sign in again?`, action: 'Let them sign in' };
  }
}

const consequences: Record<PlainQuestion, string> = {
  invite: 'An email with a link to choose a password is sent. Earlier links stop working.',
  password: 'An email with a link to choose a new password is sent. The current password works until then.',
  'sign-out': 'The client is signed out everywhere at once. They can sign in again with their password.',
  disable:
    'The client is signed out everywhere at once, and links in emails stop working. If they try to sign in, they get the same message as for a wrong password, so please call the client if they should know why. Only an admin can undo this.',
  enable:
    'The client can sign in with their password again. Please make sure first that the reason no longer applies.',
};

function doneText({ question, client }: Asked<PlainQuestion>): string {
  if (question === 'invite') return `The invitation is on its way to ${client.email}.`;
  if (question === 'password') return `The link is on its way to ${client.email}.`;
  if (question === 'disable') return `${nameOf(client)} can no longer sign in.`;
  if (question === 'enable') return `${nameOf(client)} can sign in again.`;
  return `${nameOf(client)} has been signed out everywhere.`;
}
