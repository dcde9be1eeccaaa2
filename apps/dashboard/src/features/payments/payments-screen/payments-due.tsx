import { type CaseSearch, type ConveyancingCase, isClosed, type Payment, type Task } from '@keyturn/contract';
import { formatNearDay } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import { buttonClass } from '@keyturn/ui/base/button.tsx';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { useCaseStore } from '../../../api/case/case-store.ts';
import { emptyText } from '../../../api/case/empty-text.ts';
import { amountDueNow, isDueNow } from '../../../api/case/payable-now.ts';
import { purposeOfTask, usePayOtherwise } from '../../../api/payments/pay-otherwise.ts';
import { startedPayment } from '../../../api/payments/started-payment.ts';
import { useCardPurposes } from '../../../api/payments/use-card-purposes.ts';
import { useBills } from '../../../api/queries/use-bills.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { useServices } from '../../../api/services/services.ts';
import { Link } from '../../../navigation/link.tsx';
import { Panel } from '../../../ui/content/panel.tsx';
import { CancelPayment } from '../cancel/cancel-payment.tsx';
import { propertyAddress } from '../frame/bill.tsx';
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
  const { matters, tasks } = conveyancingCase;
  const { accepts } = useCardPurposes();
  const clientId = useClient().data?.id;
  const toPay = caseSearches.filter((caseSearch) => isDueNow(caseSearch, accepts('search')));
  // A payment that the joint client has started needs nothing from this client.
  const next = toPay.find((caseSearch) => startedPayment(caseSearch, clientId)?.payer.kind !== 'other');
  const asked = tasks.filter(
    ({ kind, status }) =>
      status === 'open' && (kind === 'pay_bill' || (kind === 'pay' && !isClosed(conveyancingCase.status))),
  );
  const propertyOf = (matterId: string | null) => {
    const matter = matters.find(({ id }) => id === matterId);
    return matter ? propertyAddress(matter.property) : null;
  };
  if (toPay.length + asked.length === 0) {
    return (
      <Panel look="wash" title="Due now">
        <p className={styles.empty}>
          {emptyText(
            conveyancingCase.status,
            'Nothing at the moment. When there is something to pay, it appears here and on your home page.',
          )}
        </p>
      </Panel>
    );
  }
  return (
    <Panel look="wash" title={`Due now: ${formatMoney(amountDueNow(conveyancingCase, caseSearches))}`}>
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
        {asked.map((task, index) => (
          <TaskDue key={task.id} task={task} isNext={next === undefined && index === 0} />
        ))}
      </ul>
    </Panel>
  );
}

/** Something to pay that is not a search: a bill, or what the firm has asked for in a task. */
function TaskDue({ task, isNext }: { task: Task; isNext: boolean }) {
  const today = useToday();
  const { kind, title, explanation, amount, matter_id, bill_id, due_on } = task;
  const bill = useBills().data?.find(({ id }) => id === bill_id);
  const payOtherwise = usePayOtherwise()({
    purpose: purposeOfTask(task),
    amount,
    matterId: matter_id,
    paysClientMoney: bill?.pays_client_money,
  });
  const isStarted = kind === 'pay_bill' && amount === null;
  const query =
    bill_id === null
      ? {
          ...(amount === null ? {} : { amount }),
          ...(matter_id === null ? {} : { matter: matter_id }),
          for: title,
        }
      : { bill: bill_id };
  return (
    <li>
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
        {isStarted && (
          <p className={styles.started}>
            A payment towards this bill has been started. You can see it below.
          </p>
        )}
        {bill?.document_id && (
          <p>
            <Link to={`/documents/${bill.document_id}`}>Open bill {bill.number}</Link>
          </p>
        )}
        {payOtherwise !== null && <PayOtherwise amount={amount} how={payOtherwise} />}
      </div>
      {payOtherwise === null && !isStarted && (
        <Link
          to="/payment-other"
          query={query}
          className={buttonClass({ look: isNext ? 'primary' : 'quiet' })}
        >
          {amount === null ? 'Continue to payment' : `Pay ${formatMoney(amount)}`}
          <VisuallyHidden> for {title}</VisuallyHidden>
        </Link>
      )}
    </li>
  );
}

/** The amount due, and how to pay it where it cannot be paid online. */
function PayOtherwise({ amount, how }: { amount: number | null; how: string }) {
  const phone = useServices().config.firm?.phone;
  return (
    <p>
      {amount !== null && <>{formatMoney(amount)} to pay. </>}
      {how} {phone && <PhoneLink phone={phone} />}
    </p>
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
  const { id, name, price, matter_id: matterId } = caseSearch;
  const payOtherwise = usePayOtherwise()({ purpose: 'search', amount: price.gross, matterId });
  const started = startedPayment(caseSearch, clientId);
  return (
    <li>
      <div>
        <h3>{name}</h3>
        <p>{property}</p>
        {price.vat > 0 ? firm?.vat_number && <p>Including {formatMoney(price.vat)} VAT</p> : <p>No VAT</p>}
        {started && <p className={styles.started}>{started.text}</p>}
        {payOtherwise !== null && <PayOtherwise amount={price.gross} how={payOtherwise} />}
      </div>
      {payOtherwise === null && (
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
