import type { Bill } from '@keyturn/contract';
import { formatDay } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import { buttonClass } from '@keyturn/ui/base/button.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { usePayOtherwise } from '../../../api/payments/pay-otherwise.ts';
import { useBills } from '../../../api/queries/use-bills.ts';
import { Link } from '../../../navigation/link.tsx';
import { Panel } from '../../../ui/content/panel.tsx';
import styles from './payments-page.module.css';

/** The bills that are not due yet, with when they will be. */
export function BillsDueLater() {
  const payOtherwise = usePayOtherwise();
  const howToPay = ({ payable: amount, matter_id: matterId, pays_client_money: paysClientMoney }: Bill) =>
    payOtherwise({ purpose: 'legal_fees', amount, matterId, paysClientMoney });
  const later = (useBills().data ?? []).filter(({ is_due, left }) => !is_due && left > 0);
  if (later.length === 0) return null;
  return (
    <Panel title={`Due later: ${formatMoney(later.reduce((sum, { left }) => sum + left, 0))}`}>
      <ul className={styles.due}>
        {later.map((bill) => (
          <li key={bill.id}>
            <div>
              <h3>
                Our bill {bill.number}: {formatMoney(bill.left)}
              </h3>
              <p>{bill.description}.</p>
              <p>{describeDueDate(bill)}</p>
              {bill.document_id && (
                <p>
                  <Link to={`/documents/${bill.document_id}`}>Open bill {bill.number}</Link>
                </p>
              )}
            </div>
            {bill.payable > 0 && howToPay(bill) === null && (
              <Link to="/payment-other" query={{ bill: bill.id }} className={buttonClass({ look: 'quiet' })}>
                Pay early<VisuallyHidden>: bill {bill.number}</VisuallyHidden>
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Says when a bill will be due. A completion day is only planned. */
export const describeDueDate = ({
  due_on,
  due_on_completion,
}: Pick<Bill, 'due_on' | 'due_on_completion'>): string =>
  due_on_completion
    ? `Due on completion${due_on === null ? '' : `, planned for ${formatDay(due_on)}`}.`
    : `Due on ${formatDay(due_on ?? '')}.`;
