import type { DeskCase, DeskMilestone } from '@keyturn/contract/staff';
import { formatShortDay } from '@keyturn/format/dates';
import styles from '../case.module.css';
import { textForStaff } from './text-for-staff.ts';

/** The first name of the client whose view of the case staff see. */
export const firstClientOf = ({ clients }: Pick<DeskCase, 'clients'>): string =>
  clients[0]?.first_name ?? 'the client';

/** The party that a step waits for, as clients see it; nothing unless the step is under way. */
export function WaitingFor({
  milestone: { waiting_for, waiting_since, also_waiting },
  firstClient,
}: {
  milestone: DeskMilestone;
  firstClient: string;
}) {
  return (
    <>
      {waiting_for && textForStaff(waiting_for, firstClient)}
      <Since day={waiting_since} />
      {also_waiting && (
        <>
          ; also for {also_waiting.waiting_for}
          <Since day={also_waiting.waiting_since} />
        </>
      )}
    </>
  );
}

const Since = ({ day }: { day: string | null }) =>
  day && <span className={styles.since}> since {formatShortDay(day)}</span>;
