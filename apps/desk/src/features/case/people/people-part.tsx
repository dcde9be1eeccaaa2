import type { DeskClient } from '@keyturn/contract/staff';
import { mailtoUrl } from '@keyturn/dashboard/ui/content/mail-address.ts';
import { PhoneLink } from '@keyturn/dashboard/ui/content/phone-link.tsx';
import { StatusTag } from '@keyturn/dashboard/ui/content/status-tag.tsx';
import { formatMoment } from '@keyturn/dashboard/ui/format/format-date.ts';
import { useToday } from '@keyturn/dashboard/ui/format/use-today.ts';
import { useState } from 'react';
import { callStaff } from '../../../api/desk-api.ts';
import { EmptyState, Section } from '../../../ui/base/page.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { type Column, Table } from '../../../ui/table/table.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';

type Question = 'invite' | 'password' | 'sign-out';

/** The clients of the case with their access and its actions, and all other people on the case. */
export function PeoplePart({ deskCase, changes, mayEdit }: CasePartProps) {
  const today = useToday();
  const [asked, setAsked] = useState<{ question: Question; client: DeskClient } | null>(null);
  const columns: Column<DeskClient>[] = [
    {
      key: 'name',
      heading: 'Client',
      isRowHeader: true,
      cell: ({ title, first_name, last_name }) => [title, first_name, last_name].filter(Boolean).join(' '),
    },
    { key: 'phone', heading: 'Telephone', cell: ({ phone }) => phone && <PhoneLink phone={phone} /> },
    { key: 'email', heading: 'Email', cell: ({ email }) => <a href={mailtoUrl(email)}>{email}</a> },
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
            cell: (client: DeskClient) => (
              <Menu
                look="plain"
                about={`for ${nameOf(client)}`}
                items={commandsFor(client, (question) => setAsked({ question, client }))}
              >
                Access
              </Menu>
            ),
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
      {asked && (
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

const partyNames = {
  other_side: 'Other side’s lawyer',
  estate_agent: 'Estate agent',
  lender: 'Lender',
  broker: 'Broker',
} as const;

const nameOf = ({ first_name, last_name }: DeskClient) => `${first_name} ${last_name}`;

/** Describes whether a client can sign in, or the state of their invitation. */
function Access({ client: { is_activated, invitation, open_sessions } }: { client: DeskClient }) {
  const today = useToday();
  if (is_activated)
    return (
      <StatusTag tone="good">
        Has access
        {open_sessions > 0 &&
          `, ${open_sessions === 1 ? '1 open sign-in' : `${open_sessions} open sign-ins`}`}
      </StatusTag>
    );
  if (!invitation) return <StatusTag tone="to-do">Not invited</StatusTag>;
  return invitation.state === 'open' ? (
    <StatusTag tone="moving">Invited {formatMoment(invitation.sent_at, today)}</StatusTag>
  ) : (
    <StatusTag tone="held">Invitation expired</StatusTag>
  );
}

const commandsFor = ({ is_activated }: DeskClient, ask: (question: Question) => void) =>
  is_activated
    ? [
        { name: 'Send a password link', onChoose: () => ask('password') },
        { name: 'Sign out everywhere', onChoose: () => ask('sign-out'), isDangerous: true },
      ]
    : [{ name: 'Send an invitation', onChoose: () => ask('invite') }];

function send({ question, client: { id } }: { question: Question; client: DeskClient }): Promise<unknown> {
  const params = { id };
  if (question === 'invite') return callStaff('POST /staff/clients/{id}/invitation', { params });
  if (question === 'password') return callStaff('POST /staff/clients/{id}/password-link', { params });
  return callStaff('DELETE /staff/clients/{id}/sessions', { params });
}

function questionTexts({ question, client }: { question: Question; client: DeskClient }) {
  const name = nameOf(client);
  switch (question) {
    case 'invite':
      return { title: `Invite ${name}?`, action: 'Send the invitation' };
    case 'password':
      return { title: `Send ${name} a password link?`, action: 'Send the link' };
    case 'sign-out':
      return { title: `Sign ${name} out everywhere?`, action: 'Sign out', look: 'danger' as const };
  }
}

const consequences: Record<Question, string> = {
  invite: 'An email with a link to choose a password is sent. Earlier links stop working.',
  password: 'An email with a link to choose a new password is sent. The current password works until then.',
  'sign-out': 'Every open sign-in ends at once. The client can sign in again with their password.',
};

function doneText({ question, client }: { question: Question; client: DeskClient }): string {
  if (question === 'invite') return `The invitation is on its way to ${client.email}.`;
  if (question === 'password') return `The link is on its way to ${client.email}.`;
  return `${nameOf(client)} is signed out everywhere.`;
}
