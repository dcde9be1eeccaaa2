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
import { type OtherPaymentEntry, OtherPaymentForm } from './other-payment-form.tsx';
import styles from './other-payment-page.module.css';
import type { OtherPaymentSearch } from './other-payment-search.ts';
import { OtherPaymentSkeleton } from './other-payment-skeleton.tsx';

/** A payment for something that is not a search: what for, how much, and on to checking it. */
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
            For anything that is not a property search. You check it on the next page, before you give a card.
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

/** Filled in with what the address says, else with the payment that was entered and is not finished. */
function Entry({ client }: { client: Client }) {
  const asked = route.useSearch();
  const { otherPayment } = useCaseState();
  const [kept] = useState(asksForOne(asked) ? null : otherPayment);
  const begun = usePaymentById(kept?.paymentId ?? null);
  if (client.conveyancing_case === null) {
    return (
      <p className={formStyles.group}>
        You have no case with us yet. As soon as there is one, you can pay here.
      </p>
    );
  }
  if (kept?.paymentId && begun.isPending) return <OtherPaymentSkeleton />;
  const isOver = begun.data !== undefined && !isUnfinished(begun.data);
  const before: OtherPaymentEntry =
    kept && !isOver
      ? {
          category: kept.category,
          amount: formatAmountInput(kept.amount),
          reference: kept.reference ?? '',
          matterId: kept.matterId,
        }
      : {
          category: null,
          amount: asked.amount === undefined ? '' : formatAmountInput(asked.amount),
          reference: asked.for ?? '',
          matterId: asked.matter ?? null,
        };
  return (
    <OtherPaymentForm
      matters={client.conveyancing_case.matters}
      before={before}
      unfinished={kept?.paymentId && !isOver ? kept : null}
    />
  );
}

const asksForOne = (asked: OtherPaymentSearch) => Object.values(asked).some((value) => value !== undefined);
