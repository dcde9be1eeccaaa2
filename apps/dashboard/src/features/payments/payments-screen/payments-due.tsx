import type { CaseSearch, ConveyancingCase, Payment } from '@keyturn/contract';
import { Link } from '@tanstack/react-router';
import { amountDueNow, isDueNow } from '../../../api/case/payable-now.ts';
import { useCaseStore } from '../../../api/case/use-case-state.ts';
import { startedPayment } from '../../../api/payments/started-payment.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { useServices } from '../../../api/services/services.ts';
import { buttonClass } from '../../../ui/base/button.tsx';
import { Panel } from '../../../ui/content/panel.tsx';
import { VisuallyHidden } from '../../../ui/content/visually-hidden.tsx';
import { formatNearDay } from '../../../ui/format/format-date.ts';
import { formatMoney } from '../../../ui/format/format-money.ts';
import { useToday } from '../../../ui/format/use-today.ts';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { CancelPayment } from '../cancel/cancel-payment.tsx';
import { addressOf } from '../frame/bill.tsx';
import { NoCardPayments } from '../frame/no-card-payments.tsx';
import styles from './payments-page.module.css';

export interface PaymentsDueProps {
  conveyancingCase: ConveyancingCase;
  caseSearches: CaseSearch[];
  /** Undefined while loading. */
  payments: Payment[] | undefined;
  onCancelled(payment: Payment): void;
}

/** What the client is asked to pay: searches, and tasks that the firm has set. */
export function PaymentsDue({ conveyancingCase, caseSearches, payments, onCancelled }: PaymentsDueProps) {
  const today = useToday();
  const { matters, tasks } = conveyancingCase;
  const acceptsPayments = useServices().config.payments.accepts_payments;
  const clientId = useClient().data?.id;
  const toPay = caseSearches.filter((caseSearch) => isDueNow(caseSearch, acceptsPayments));
  // A payment that the joint owner has started needs nothing from this client.
  const next = toPay.find((caseSearch) => startedPayment(caseSearch, clientId)?.payer.kind !== 'other');
  const asked = tasks.filter(({ kind, status }) => kind === 'pay' && status === 'open');
  const propertyOf = (matterId: string | null) => {
    const matter = matters.find(({ id }) => id === matterId);
    return matter ? addressOf(matter.property) : null;
  };
  if (toPay.length + asked.length === 0) {
    return (
      <Panel look="wash" title="Due now">
        <p className={styles.empty}>
          Nothing at the moment. When there is something to pay, it appears here and on your home page.
        </p>
      </Panel>
    );
  }
  return (
    <Panel look="wash" title={`Due now: ${formatMoney(amountDueNow(conveyancingCase, caseSearches))}`}>
      {!acceptsPayments && <NoCardPayments className={styles.empty} />}
      <ul className={styles.due}>
        {toPay.map((caseSearch) => (
          <SearchDue
            key={caseSearch.id}
            caseSearch={caseSearch}
            property={propertyOf(caseSearch.matter_id)}
            isNext={caseSearch === next}
            payment={payments?.find(({ id }) => id === caseSearch.payment?.id)}
            onCancelled={onCancelled}
          />
        ))}
        {asked.map(({ id, title, explanation, amount, matter_id, due_on }, index) => (
          <li key={id}>
            <div>
              <h3>{title}</h3>
              <p>
                {explanation}{' '}
                {due_on && (
                  <strong className={styles.by}>
                    {due_on < today ? 'Was due' : 'By'} {formatNearDay(due_on, today)}
                  </strong>
                )}
              </p>
            </div>
            {acceptsPayments && (
              <Link
                to="/payment-other"
                search={{
                  ...(amount === null ? {} : { amount }),
                  ...(matter_id === null ? {} : { matter: matter_id }),
                  for: title,
                }}
                className={buttonClass({ look: next === undefined && index === 0 ? 'primary' : 'quiet' })}
              >
                {amount === null ? 'Continue to payment' : `Pay ${formatMoney(amount)}`}
                <VisuallyHidden> for {title}</VisuallyHidden>
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface SearchDueProps {
  caseSearch: CaseSearch;
  property: string | null;
  /** Whether it is the first thing for this client to pay. */
  isNext: boolean;
  /** The payment that a client has started for it; undefined if there is none, or while loading. */
  payment: Payment | undefined;
  onCancelled(payment: Payment): void;
}

/** A search to pay for. A payment that one of the clients has started appears here, and not in the list of payments. */
function SearchDue({ caseSearch, property, isNext, payment, onCancelled }: SearchDueProps) {
  const caseState = useCaseStore();
  const clientId = useClient().data?.id;
  const { config } = useServices();
  const firm = useClient().data?.conveyancing_case?.firm ?? config.firm;
  const acceptsPayments = config.payments.accepts_payments;
  const { id, name, price } = caseSearch;
  const started = startedPayment(caseSearch, clientId);
  return (
    <li>
      <div>
        <h3>{name}</h3>
        <p>{property}</p>
        {price.vat > 0 ? firm?.vat_number && <p>Including {formatMoney(price.vat)} VAT</p> : <p>No VAT</p>}
        {started && <p className={styles.started}>{started.words}</p>}
      </div>
      {acceptsPayments && (
        <div className={styles.actions}>
          <Link
            to={started ? '/payment' : '/payment-details'}
            className={buttonClass({ look: isNext ? 'primary' : 'quiet' })}
            onClick={() => caseState.selectCaseSearch(id)}
          >
            {started ? started.action : `Pay ${formatMoney(price.gross)}`}
            <VisuallyHidden> for {name}</VisuallyHidden>
          </Link>
          {payment && started?.payer.kind === 'me' && (
            <CancelPayment payment={payment} namesPayment onCancelled={() => onCancelled(payment)} />
          )}
        </div>
      )}
    </li>
  );
}

/** The size of the panel while it loads. */
export function PaymentsDueSkeleton() {
  return (
    <Panel look="wash" title="Due now">
      <ul className={styles.due} aria-hidden="true">
        {[1, 2].map((row) => (
          <li key={row}>
            <div className={styles.waiting}>
              <Skeleton width={176} />
              <p>
                <Skeleton />
              </p>
              <p>
                <Skeleton width={144} />
              </p>
            </div>
            <div className={styles.button}>
              <Skeleton height={48} />
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
