import type { ConveyancingCase } from '@keyturn/contract';
import { formatDay } from '@keyturn/format/london-time';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { StatusMark } from '../../../ui/content/status-mark.tsx';
import styles from './case-outcome.module.css';

/** A notice for a case that is completed, on hold or abandoned; nothing for an active case. */
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
        <StatusMark status="done" isKeyMoment className={styles.mark} />
        <div>
          <h2 id="completed">{day ? `Completed on ${formatDay(day)}` : 'Completed'}</h2>
          <p>
            {isAllDone(conveyancingCase)
              ? 'Everything is done. You can come back to your case here at any time.'
              : 'We have closed your case. You can come back to it here at any time.'}
          </p>
        </div>
      </section>
    );
  }
  if (status === 'on_hold') {
    return (
      <Alert tone="attention" title="This case is on hold">
        <p>
          We’ve paused work. Dates such as your mortgage offer’s still run. Questions? Call us on{' '}
          <PhoneLink phone={phone} />.
        </p>
      </Alert>
    );
  }
  if (status === 'abandoned') {
    return (
      <Alert tone="attention" title="This case has ended without completion">
        <p>
          You can still see everything that has happened so far. Questions about costs or documents? Call us
          on <PhoneLink phone={phone} />.
        </p>
      </Alert>
    );
  }
  return null;
}

/** Whether no step of the matters that went ahead is left. A firm can close a case earlier. */
const isAllDone = ({ matters }: ConveyancingCase) =>
  matters.every(({ status, progress }) => status === 'abandoned' || progress.done === progress.total);
