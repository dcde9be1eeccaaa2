import type { Bill } from '@keyturn/contract';
import { formatMoney, formatRate } from '@keyturn/format/money';
import { buttonClass } from '@keyturn/ui/base/button.tsx';
import { classNames } from '@keyturn/ui/base/class-names.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { useServices } from '../../../api/services/services.ts';
import { Link } from '../../../navigation/link.tsx';
import { type MoneyLine, MoneyLines } from '../../../ui/content/money-lines.tsx';
import { Panel } from '../../../ui/content/panel.tsx';
import { clientMoneyOfBill } from '../status/payment-categories.ts';
import styles from './bill.module.css';
import { moreThanEstimated } from './bill.tsx';

/** What is on a bill: its lines, VAT, what is paid and left, and the bill itself as a document. */
export function BillDetails({ bill }: { bill: Bill }) {
  const { config } = useServices();
  const firm = useClient().data?.conveyancing_case?.firm ?? config.firm;
  const held = clientMoneyOfBill(bill);
  const moreThan = moreThanEstimated(`Bill ${bill.number}`, bill);
  return (
    <Panel title={`Bill ${bill.number}`} look="raised" className={classNames(styles.bill, styles.details)}>
      <div className={styles.for}>
        <p>{bill.description}</p>
      </div>
      <MoneyLines lines={linesOfBill(bill, Boolean(firm?.vat_number))} />
      {(held > 0 || bill.document_id || moreThan) && (
        <div className={styles.after}>
          {moreThan && <p>{moreThan}</p>}
          {held > 0 && (
            <p>
              {formatMoney(held)} of this bill is for costs that we pay to others for you (client money). A
              part payment pays this first.
            </p>
          )}
          {bill.document_id && (
            <p>
              <Link
                to={`/documents/${bill.document_id}`}
                className={buttonClass({ look: 'quiet', size: 'small' })}
              >
                Open bill {bill.number}
              </Link>
            </p>
          )}
        </div>
      )}
    </Panel>
  );
}

/**
 * Lists the lines of a bill with its sums.
 * @param showsVat false for a firm without a VAT number, whose amounts show none
 */
export function linesOfBill(bill: Bill, showsVat: boolean): MoneyLine[] {
  const { description, net, vat, gross, paid, left } = bill;
  // A server of the last release sends no lines.
  const lines = bill.lines ?? [{ description, net, vat, vat_rate: 0 }];
  const sums = [
    { label: 'Total', amount: gross, total: true },
    ...(paid > 0 ? [{ label: 'Paid', amount: -paid }] : []),
    ...(left === gross ? [] : [{ label: 'Left to pay', amount: left, total: true }]),
  ];
  if (!showsVat)
    return [...lines.map((line) => ({ label: line.description, amount: line.net + line.vat })), ...sums];
  const named = lines.map((line) => ({
    label: bill.lines
      ? `${line.description} (${line.vat_rate > 0 ? `VAT at ${formatRate(line.vat_rate)}` : 'no VAT'})`
      : line.description,
    amount: line.net,
  }));
  return [
    ...named,
    ...(lines.length > 1 ? [{ label: 'Net', amount: net }] : []),
    { label: vat > 0 ? 'VAT' : 'No VAT', amount: vat },
    ...sums,
  ];
}
