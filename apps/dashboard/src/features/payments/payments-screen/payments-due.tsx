import type { CaseSearch, ConveyancingCase } from '@keyturn/contract';
import { Link } from '@tanstack/react-router';
import { amountDueNow, isPayableNow } from '../../../api/case/payable-now.ts';
import { useCaseStore } from '../../../api/case/use-case-state.ts';
import { buttonClass } from '../../../ui/base/button.tsx';
import { Panel } from '../../../ui/content/panel.tsx';
import { VisuallyHidden } from '../../../ui/content/visually-hidden.tsx';
import { formatNearDay } from '../../../ui/format/format-date.ts';
import { formatMoney } from '../../../ui/format/format-money.ts';
import { useToday } from '../../../ui/format/use-today.ts';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { addressOf } from '../shared/bill.tsx';
import styles from './payments-page.module.css';

export interface PaymentsDueProps {
  conveyancingCase: ConveyancingCase;
  caseSearches: CaseSearch[];
}

/** What the client is asked to pay: searches, and tasks that the firm has set. */
export function PaymentsDue({ conveyancingCase, caseSearches }: PaymentsDueProps) {
  const caseState = useCaseStore();
  const today = useToday();
  const { matters, tasks } = conveyancingCase;
  const toPay = caseSearches.filter(isPayableNow);
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
      <ul className={styles.due}>
        {toPay.map(({ id, name, matter_id, price }, index) => (
          <li key={id}>
            <div>
              <h3>{name}</h3>
              <p>{propertyOf(matter_id)}</p>
              <p>{price.vat > 0 ? `Including ${formatMoney(price.vat)} VAT` : 'No VAT'}</p>
            </div>
            <Link
              to="/payment-details"
              className={buttonClass({ look: index === 0 ? 'primary' : 'quiet' })}
              onClick={() => caseState.selectCaseSearch(id)}
            >
              Pay {formatMoney(price.gross)}
              <VisuallyHidden> for {name}</VisuallyHidden>
            </Link>
          </li>
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
            <Link
              to="/payment-other"
              search={{
                ...(amount === null ? {} : { amount }),
                ...(matter_id === null ? {} : { matter: matter_id }),
                for: title,
              }}
              className={buttonClass({ look: toPay.length + index === 0 ? 'primary' : 'quiet' })}
            >
              {amount === null ? 'Continue to payment' : `Pay ${formatMoney(amount)}`}
              <VisuallyHidden> for {title}</VisuallyHidden>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
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
