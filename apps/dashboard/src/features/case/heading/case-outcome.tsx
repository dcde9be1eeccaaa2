import type { ConveyancingCase } from '@keyturn/contract';
import { Alert } from '../../../ui/base/alert.tsx';
import { PhoneLink } from '../../../ui/content/phone-link.tsx';
import { StationMark } from '../../../ui/content/station-mark.tsx';
import { formatDay } from '../../../ui/format/format-date.ts';
import styles from './case-outcome.module.css';

/** What is special about the whole case: completed, on hold, or ended without completion. */
export function CaseOutcome({ conveyancingCase }: { conveyancingCase: ConveyancingCase }) {
  const { status, matters, handlers, firm } = conveyancingCase;
  const phone = handlers[0]?.phone ?? firm.phone;
  if (status === 'completed') {
    const day = matters
      .flatMap(({ completed_on }) => completed_on ?? [])
      .sort()
      .at(-1);
    return (
      <section className={styles.completed} aria-labelledby="completed">
        <StationMark status="done" isKeyMoment className={styles.mark} />
        <div>
          <h2 id="completed">{day ? `Completed on ${formatDay(day)}` : 'Completed'}</h2>
          <p>Everything is done. Your case stays here, so that you can come back to it.</p>
        </div>
      </section>
    );
  }
  if (status === 'on_hold') {
    return (
      <Alert tone="attention" title="This case is on hold">
        <p>
          Nothing moves until it goes on again. Questions? Call us on <PhoneLink phone={phone} />.
        </p>
      </Alert>
    );
  }
  if (status === 'abandoned') {
    return (
      <Alert tone="attention" title="This case has ended without completion">
        <p>
          What happened so far stays here. Questions about costs or documents? Call us on{' '}
          <PhoneLink phone={phone} />.
        </p>
      </Alert>
    );
  }
  return null;
}
