import type { ErasureRecord } from '@keyturn/contract/staff';
import { formatShortMoment } from '@keyturn/format/dates';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { LinkButton } from '../../../ui/base/button.tsx';
import { PageHead, Section } from '../../../ui/base/page.tsx';
import styles from '../client-data.module.css';
import { counted } from '../retention-text.ts';
import { describeFiles } from './files-text.ts';

/** What is left of an erased client, and what remains to be done. */
export function ErasedClient({ record }: { record: ErasureRecord }) {
  const { number, case_numbers, erased_at, ordered_by } = record;
  return (
    <>
      <PageHead title="Erased client" actions={<LinkButton to="/cases">All cases</LinkButton>} />
      <Section title="The erasure">
        <Alert
          tone="good"
          title={`The client was erased on ${formatShortMoment(erased_at)}, by ${ordered_by}.`}
          takesFocus
        >
          <p>
            Erasure {number}
            {case_numbers.length > 0 &&
              `, with ${counted(case_numbers.length, 'case')} (${case_numbers.length === 1 ? 'erasure' : 'erasures'} ${case_numbers.join(', ')})`}
            . Keep a note of the number: the audit log and the checks of signatures name the erasure by it.
          </p>
        </Alert>
        <p className={styles.note} role="status">
          {describeFiles(record.files)}
        </p>
        <h3 className={styles.others}>What remains to be done</h3>
        <ol className={styles.list}>
          <li>Make a backup, so that a restore of an older one erases the client again.</li>
          <li>Delete old backups when the firm’s policy says so. They still contain the client.</li>
          <li>Erase the client in the firm’s other systems, at Stripe and on the mail server.</li>
          <li>Answer the client’s request, and record the answer with its date.</li>
        </ol>
      </Section>
    </>
  );
}
