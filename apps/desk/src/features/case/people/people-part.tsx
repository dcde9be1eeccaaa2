import { formatPhone } from '@keyturn/format/phone-number';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useState } from 'react';
import { useMember } from '../../../api/desk-api.ts';
import { useInvitationsRefused } from '../../../api/missing-firm-data.ts';
import { Button } from '../../../ui/base/button.tsx';
import { EmptyState, Section } from '../../../ui/base/page.tsx';
import { MissingFirmData } from '../../../ui/feedback/missing-firm-data.tsx';
import { Table } from '../../../ui/table/table.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';
import { AccessDialog, type AskedQuestion, isPlain } from './access-dialog.tsx';
import { AddClientDialog } from './add-client-dialog.tsx';
import { columnsFor } from './client-columns.tsx';
import { RecentPhoneNotices } from './client-phone.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { ResetDialog } from './reset-dialog.tsx';

/** The clients of the case with their access and its actions, and all other people on the case. */
export function PeoplePart({ deskCase, changes, mayEdit }: CasePartProps) {
  const today = useToday();
  const { role } = useMember();
  const isRefused = useInvitationsRefused();
  const [asked, setAsked] = useState<AskedQuestion | null>(null);
  const [isAdding, setAdding] = useState(false);
  const close = () => setAsked(null);
  return (
    <>
      <Section
        title="Clients"
        actions={mayEdit && <Button onClick={() => setAdding(true)}>Add a client</Button>}
      >
        <RecentPhoneNotices clients={deskCase.clients} />
        {mayEdit && isRefused && deskCase.clients.some(({ is_activated }) => !is_activated) && (
          <MissingFirmData className={styles.notice} />
        )}
        <Table
          label="Clients of the case"
          columns={columnsFor(
            today,
            mayEdit
              ? { role, ask: setAsked, canInvite: !isRefused, canRemove: deskCase.clients.length > 1 }
              : null,
          )}
          query={{ data: deskCase.clients, error: null, isFetching: false, refetch: changes.refresh }}
          keyOf={({ id }) => id}
          empty={<EmptyState title="This case has no clients." />}
          isMain
        />
      </Section>
      <Others deskCase={deskCase} />
      {asked?.question === 'reset' && (
        <ResetDialog
          // After the case is read again, the client is newer than the one that the dialog was opened for.
          client={deskCase.clients.find(({ id }) => id === asked.client.id) ?? asked.client}
          changes={changes}
          onClose={close}
        />
      )}
      {asked?.question === 'remove' && (
        <RemoveDialog caseId={deskCase.id} client={asked.client} changes={changes} onClose={close} />
      )}
      {isAdding && <AddClientDialog deskCase={deskCase} changes={changes} onClose={() => setAdding(false)} />}
      {asked && isPlain(asked) && <AccessDialog asked={asked} changes={changes} onClose={close} />}
    </>
  );
}

/** Everyone on the case besides the clients: the firm’s staff, and the parties of its matters. */
function Others({ deskCase }: Pick<CasePartProps, 'deskCase'>) {
  const handlers = deskCase.handlers.map(({ name, role, phone, email }) => ({
    name,
    role,
    contact: `${formatPhone(phone)}, ${email}`,
  }));
  const parties = deskCase.matters.flatMap((matter) =>
    matter.parties.map(({ role, name, contact }) => ({ name, role: partyNames[role], contact })),
  );
  return (
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
  );
}

const partyNames = {
  other_side: 'Other side’s lawyer',
  estate_agent: 'Estate agent',
  lender: 'Lender',
  broker: 'Broker',
} as const;
