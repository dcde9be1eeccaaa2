import type { Client } from '@keyturn/contract';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCaseState } from '../../../api/case/use-case-state.ts';
import { messageOf } from '../../../api/client/api-error.ts';
import { usePaymentById } from '../../../api/payments/payment-queries.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { PageHeading } from '../../../ui/base/page-heading.tsx';
import { LoadFailure } from '../../../ui/states/load-failure.tsx';
import formStyles from '../shared/payment-form.module.css';
import screenStyles from '../shared/payment-frame.module.css';
import { isUnfinished } from '../shared/payment-status.ts';
import { formatAmountInput } from './amount-input.ts';
import { CardLimits } from './card-limits.tsx';
import type { OtherPaymentEntry } from './other-payment-entry.ts';
import { OtherPaymentForm } from './other-payment-form.tsx';
import styles from './other-payment-page.module.css';
import type { OtherPaymentSearch } from './other-payment-search.ts';
import { OtherPaymentSkeleton } from './other-payment-skeleton.tsx';

/** Where the client enters a payment that is not for a search. */
export function OtherPaymentPage() {
  const client = useClient();
  return (
    <div className={screenStyles.page}>
      <Link to="/payments" className={screenStyles.back}>
        Back to your payments
      </Link>
      <div className={styles.columns}>
        <div>
          <PageHeading>Make another payment</PageHeading>
          <p className={screenStyles.lead}>
            For anything other than a property search. You can check it on the next page before you enter your
            card.
          </p>
          {client.data ? (
            <Entry client={client.data} />
          ) : client.error ? (
            <div className={formStyles.group}>
              <LoadFailure
                what="This form"
                message={messageOf(client.error)}
                isTrying={client.isFetching}
                onRetry={() => void client.refetch()}
              />
            </div>
          ) : (
            <OtherPaymentSkeleton />
          )}
        </div>
        <CardLimits />
      </div>
    </div>
  );
}

const route = getRouteApi('/default/payment-other');

/** The form, filled in from the address, or else with the payment that was entered and not finished. */
function Entry({ client }: { client: Client }) {
  const requested = route.useSearch();
  const { otherPayment } = useCaseState();
  const [stored] = useState(isFilledIn(requested) ? null : otherPayment);
  const startedPayment = usePaymentById(stored?.paymentId ?? null);
  if (client.conveyancing_case === null) {
    return <p className={formStyles.group}>You have no case with us yet. Once you do, you can pay here.</p>;
  }
  if (stored?.paymentId && startedPayment.isPending) return <OtherPaymentSkeleton />;
  const isOver = startedPayment.data !== undefined && !isUnfinished(startedPayment.data);
  const before: OtherPaymentEntry =
    stored && !isOver
      ? {
          category: stored.category,
          amount: formatAmountInput(stored.amount),
          reference: stored.reference ?? '',
          matterId: stored.matterId,
        }
      : {
          category: null,
          amount: requested.amount === undefined ? '' : formatAmountInput(requested.amount),
          reference: requested.for ?? '',
          matterId: requested.matter ?? null,
        };
  return (
    <OtherPaymentForm
      matters={client.conveyancing_case.matters}
      before={before}
      unfinished={stored?.paymentId && !isOver ? stored : null}
    />
  );
}

const isFilledIn = (search: OtherPaymentSearch) => Object.values(search).some((value) => value !== undefined);
