import type { ErasurePlan } from '@keyturn/contract/staff';
import { formatShortDayOf } from '@keyturn/format/dates';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { useState } from 'react';
import { errorText } from '../../../api/client/staff-error.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import styles from '../client-data.module.css';
import type { ClientDataChanges, useErasure } from '../client-data-queries.ts';
import { describeContents } from '../retention-text.ts';
import { EraseDialog } from './erase-dialog.tsx';

/** What an erasure would delete and keep, and what prevents it. */
export function ErasureSection({
  clientId,
  erasure,
  changes,
}: {
  clientId: string;
  erasure: ReturnType<typeof useErasure>;
  changes: ClientDataChanges;
}) {
  const [isErasing, setErasing] = useState(false);
  const plan = erasure.data?.plan;
  const isPossible = plan && plan.obstacles.length === 0 && plan.retained.length === 0;
  return (
    <Section
      title="Erasure"
      actions={
        isPossible && (
          <Button look="danger" onClick={() => setErasing(true)}>
            Erase this client…
          </Button>
        )
      }
    >
      {plan ? (
        <Plan plan={plan} />
      ) : erasure.error ? (
        <LoadFailure
          what="What an erasure would delete"
          message={errorText(erasure.error)}
          isTrying={erasure.isFetching}
          onRetry={() => void erasure.refetch()}
        />
      ) : (
        <Skeleton lines={6} />
      )}
      {plan && isErasing && (
        <EraseDialog clientId={clientId} plan={plan} changes={changes} onClose={() => setErasing(false)} />
      )}
    </Section>
  );
}

function Plan({ plan }: { plan: ErasurePlan }) {
  const { erased, staying } = plan;
  return (
    <>
      <Obstacles plan={plan} />
      <div className={styles.plan}>
        <div>
          <h3>Would be erased</h3>
          <ul className={styles.list}>
            <li>
              Name, email address, phone number, password, second factors, sign-ins, devices and links of{' '}
              {plan.name}; their name and IP addresses in the audit log
            </li>
            {erased.map((found) => (
              <li key={found.reference}>
                {describeCase(found)}, with its files
                {found.retained_until && `; ${describeEnd(found.retained_until)}`}
              </li>
            ))}
          </ul>
        </div>
        <div>
          <h3>Would be kept</h3>
          <ul className={styles.list}>
            {staying.map((found) => (
              <li key={found.reference}>
                {describeCase(found)}, with what {plan.name} signed and paid in it, because it is also the
                file of {found.shared_with.join(' and ')}. The case is erased when its last client is erased,
                or when its retention period ends.
              </li>
            ))}
            <li>
              Proof of the erasure: numbers and dates, hashes of references and files, amounts of payments
              without names
            </li>
            <li>The audit log, with “Erased client” in place of the name</li>
          </ul>
        </div>
      </div>
      <p className={styles.note}>
        An erasure cannot be undone, and does not reach backups, sent emails, Stripe or the firm’s other
        systems. Whether a request for erasure has to be granted is the firm’s decision: the right does not
        apply to a file that the law requires or that the firm needs for legal claims (UK GDPR, article
        17(3)(b) and (e)).
      </p>
    </>
  );
}

function Obstacles({ plan: { obstacles, retained } }: { plan: ErasurePlan }) {
  if (obstacles.length + retained.length === 0)
    return (
      <Alert tone="information" title="Nothing that Keyturn knows of prevents the erasure.">
        <p>
          No case of the client is open or has to be kept any longer, no payment, refund or dispute is under
          way, and there is no legal hold.
        </p>
      </Alert>
    );
  return (
    <Alert tone="attention" title="This client cannot be erased yet">
      <ul className={styles.list}>
        {[...obstacles, ...retained].map((sentence) => (
          <li key={sentence}>{sentence}.</li>
        ))}
      </ul>
      {retained.length > 0 && (
        <p className={styles.note}>
          If the client has asked to be erased, record the request, and answer it with the end of the
          retention within one month. An earlier erasure can only be ordered on the server, with{' '}
          <code>keyturn client erase</code> and a reason.
        </p>
      )}
    </Alert>
  );
}

const describeEnd = (retainedUntil: string): string =>
  `its retention ${Date.parse(retainedUntil) <= Date.now() ? 'ended' : 'ends'} on ${formatShortDayOf(retainedUntil)}`;

const describeCase = (found: ErasurePlan['erased'][number]): string =>
  `Case ${found.reference}, “${found.title}” (${describeContents(found)})`;
