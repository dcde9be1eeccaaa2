import type { DeskCase } from '@keyturn/contract/staff';
import { formatNearDay } from '@keyturn/format/london-time';
import { matterTypeNames } from '@keyturn/format/matter-names';
import { propertyAddress } from '@keyturn/format/property-names';
import { mailtoUrl } from '@keyturn/ui/content/mail-address.ts';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../ui/base/button.tsx';
import { CaseStatusTag } from '../../../ui/base/case-status-tag.tsx';
import { PageHead } from '../../../ui/base/page.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';
import { RecentPhoneTag } from '../people/client-phone.tsx';
import { StatusDialog } from '../status/status-dialog.tsx';
import { promiseState } from '../update/promise-choices.ts';
import headerStyles from './case-header.module.css';

/** The subject of the case, its clients, and the day of the promised update. */
export function CaseHeader({ deskCase, changes, mayEdit, actions }: CasePartProps & { actions: ReactNode }) {
  const { reference, title, status, handlers, matters, clients } = deskCase;
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <PageHead title={title} actions={actions}>
        <div className={styles.facts}>
          <strong>{reference}</strong>
          <span className={headerStyles.status}>
            <CaseStatusTag status={status} />
            {mayEdit && matters.length > 0 && (
              <Button
                look="plain"
                onClick={() => setChanging(true)}
                aria-label="Change the status of the case"
              >
                Change
              </Button>
            )}
          </span>
          <PromiseTag deskCase={deskCase} />
          {handlers[0] && <span>{handlers.map(({ name }) => name).join(', ')}</span>}
        </div>
      </PageHead>
      {isChanging && (
        <StatusDialog deskCase={deskCase} changes={changes} onClose={() => setChanging(false)} />
      )}
      <ul className={headerStyles.people} aria-label="Properties and clients">
        {matters.map(({ id, matter_type, property }) => (
          <li key={id}>
            <span className={headerStyles.matterType}>{matterTypeNames[matter_type]}</span>{' '}
            {propertyAddress(property)}
          </li>
        ))}
        {clients.map((client) => (
          <li key={client.id}>
            <strong>
              {client.first_name} {client.last_name}
            </strong>{' '}
            {client.phone && <PhoneLink phone={client.phone} />} <RecentPhoneTag client={client} />{' '}
            <a href={mailtoUrl(client.email)}>{client.email}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The day of the promised update. */
function PromiseTag({ deskCase: { matters, status } }: { deskCase: DeskCase }) {
  const today = useToday();
  if (status !== 'active') return null;
  const promise = promiseState(
    matters.flatMap(({ milestones }) => milestones),
    today,
  );
  switch (promise.kind) {
    case 'none':
      return <StatusTag tone="note">No update promised</StatusTag>;
    case 'missed':
      return (
        <StatusTag tone="held">Update missed: was promised by {formatNearDay(promise.day, today)}</StatusTag>
      );
    case 'today':
      return <StatusTag tone="to-do">Update promised by today</StatusTag>;
    case 'later':
      return <StatusTag tone="moving">Next update by {formatNearDay(promise.day, today)}</StatusTag>;
  }
}
