import type { CaseStatus } from '@keyturn/contract';
import type { DeskCase } from '@keyturn/contract/staff';
import { matterTypeNames } from '@keyturn/dashboard/api/case/matter-types.ts';
import { propertyAddress } from '@keyturn/dashboard/api/case/property-names.ts';
import { mailtoUrl } from '@keyturn/dashboard/ui/content/mail-address.ts';
import { PhoneLink } from '@keyturn/dashboard/ui/content/phone-link.tsx';
import { StatusTag, type StatusTone } from '@keyturn/dashboard/ui/content/status-tag.tsx';
import { formatNearDay } from '@keyturn/dashboard/ui/format/format-date.ts';
import { useToday } from '@keyturn/dashboard/ui/format/use-today.ts';
import type { ReactNode } from 'react';
import { PageHead } from '../../../ui/base/page.tsx';
import styles from '../case.module.css';
import { RecentPhoneTag } from '../people/client-phone.tsx';
import { promiseState } from '../update/promise-choices.ts';

const statuses: Record<CaseStatus, { tone: StatusTone; name: string }> = {
  active: { tone: 'moving', name: 'Active' },
  on_hold: { tone: 'held', name: 'On hold' },
  completed: { tone: 'good', name: 'Completed' },
  abandoned: { tone: 'off', name: 'Abandoned' },
};

/** The subject of the case, its clients, and the day of the promised update. */
export function CaseHeader({ deskCase, actions }: { deskCase: DeskCase; actions: ReactNode }) {
  const { reference, title, status, handlers, matters, clients } = deskCase;
  return (
    <>
      <PageHead title={title} actions={actions}>
        <div className={styles.facts}>
          <strong>{reference}</strong>
          <StatusTag tone={statuses[status].tone}>{statuses[status].name}</StatusTag>
          <PromiseTag deskCase={deskCase} />
          {handlers[0] && <span>{handlers.map(({ name }) => name).join(', ')}</span>}
        </div>
      </PageHead>
      <ul className={styles.people} aria-label="Properties and clients">
        {matters.map(({ id, matter_type, property }) => (
          <li key={id}>
            <span className={styles.soft}>{matterTypeNames[matter_type]}</span> {propertyAddress(property)}
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
