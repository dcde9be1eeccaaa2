import type { CaseSearch, Property } from '@keyturn/contract';
import { formatMoney, formatRate } from '@keyturn/format/money';
import { classNames } from '@keyturn/ui/base/class-names.ts';
import { useMedia } from '@keyturn/ui/hooks/use-media.ts';
import { useTextNow } from '@keyturn/ui/hooks/use-today.ts';
import type { ReactNode } from 'react';
import type { OtherPayment } from '../../../api/case/case-store.ts';
import { useBills } from '../../../api/queries/use-bills.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { useServices } from '../../../api/services/services.ts';
import { Link } from '../../../navigation/link.tsx';
import { type MoneyLine, MoneyLines } from '../../../ui/content/money-lines.tsx';
import { Panel } from '../../../ui/content/panel.tsx';
import {
  clientMoneyOfBill,
  isPaidToFirm,
  keptInClientAccount,
  paymentCategoryTexts,
  settlesBill,
  settlesMixedBill,
} from '../status/payment-categories.ts';
import styles from './bill.module.css';
import { nextStepBeforePayment } from './next-step.ts';

/** The price of a search, who receives the money, and what happens next. */
export function SearchBill({ caseSearch, isOpen = false }: { caseSearch: CaseSearch; isOpen?: boolean }) {
  const { price } = caseSearch;
  const moreThan = moreThanEstimated('This search', { ...caseSearch, gross: price.gross });
  const { config } = useServices();
  const firm = useClient().data?.conveyancing_case?.firm ?? config.firm;
  const next = useTextNow((now) => (firm ? nextStepBeforePayment(caseSearch, firm, now) : ''));
  return (
    <Bill
      isOpen={isOpen}
      title={caseSearch.name}
      explanation={caseSearch.explanation}
      matterId={caseSearch.matter_id}
      lines={[
        // A firm without a VAT number charges no VAT.
        ...(price.vat > 0 && !firm?.vat_number
          ? []
          : [
              { label: 'Search fee', amount: price.net },
              { label: price.vat > 0 ? `VAT at ${formatRate(price.vat_rate)}` : 'No VAT', amount: price.vat },
            ]),
        { label: 'To pay', amount: price.gross, total: true },
      ]}
      next={next}
    >
      {costOf(caseSearch) && <p>{costOf(caseSearch)}</p>}
      {moreThan && <p>{moreThan}</p>}
      <p>{caseSearch.refund_rule}</p>
    </Bill>
  );
}

/** Splits the price of a search into the supplier’s charge and the firm’s, as a sentence; null if the firm has not said. */
export function costOf({
  price: { gross },
  supplier,
  supplier_cost: cost,
}: Pick<CaseSearch, 'price' | 'supplier' | 'supplier_cost'>): string | null {
  if (cost === undefined || cost === null) return null;
  if (cost === gross) return `${supplier} charges us ${formatMoney(cost)} for this. We add nothing to that.`;
  return `${supplier} charges us ${formatMoney(cost)} of this. ${formatMoney(gross - cost)} is our own charge.`;
}

/**
 * Says by how much, and why, clients pay more than the firm told them to expect; null if they do not.
 * @param what costs that much, at the start of a sentence
 */
export function moreThanEstimated(
  what: string,
  {
    gross,
    estimate,
    above_estimate: reason,
  }: Pick<CaseSearch, 'estimate' | 'above_estimate'> & { gross: number },
): string | null {
  if (typeof estimate !== 'number' || gross <= estimate || !reason) return null;
  return `${what} is ${formatMoney(gross - estimate)} more than our estimate of ${formatMoney(estimate)}. ${reason}`;
}

/** The amount of a payment for something else, who receives the money, and what happens to it. */
export function OtherPaymentBill({
  otherPayment,
  isOpen = false,
}: {
  otherPayment: OtherPayment;
  isOpen?: boolean;
}) {
  const { category, amount, matterId, reference, bill } = otherPayment;
  const paidBill = useBills().data?.find(({ id }) => id === bill?.id);
  const moreThan = paidBill ? moreThanEstimated(`Bill ${paidBill.number}`, paidBill) : null;
  const isMixed = paidBill !== undefined && clientMoneyOfBill(paidBill) > 0;
  return (
    <Bill
      isOpen={isOpen}
      title={bill ? `Bill ${bill.number}` : paymentCategoryTexts[category].name}
      explanation={paymentCategoryTexts[category].hint}
      matterId={matterId}
      reference={reference}
      lines={[{ label: 'To pay', amount, total: true }]}
      paidToFirm={isPaidToFirm(category)}
    >
      {moreThan && <p>{moreThan}</p>}
      <p>{isMixed ? settlesMixedBill : isPaidToFirm(category) ? settlesBill : keptInClientAccount}</p>
      {paidBill?.document_id && (
        <p>
          <Link to={`/documents/${paidBill.document_id}`}>Open bill {paidBill.number}</Link>
        </p>
      )}
    </Bill>
  );
}

interface BillProps {
  /** Expanded on a narrow screen; a wide one always shows it in full. */
  isOpen: boolean;
  title: string;
  /** What is being paid for, in a sentence. */
  explanation: string;
  matterId: string | null;
  reference?: string | null;
  lines: MoneyLine[];
  /** The money becomes the firm's own, and is not held for the client. */
  paidToFirm?: boolean;
  /** What happens after the payment, as a sentence. */
  next?: string;
  children: ReactNode;
}

function Bill({
  isOpen,
  title,
  explanation,
  matterId,
  reference = null,
  lines,
  paidToFirm = false,
  next = '',
  children,
}: BillProps) {
  const { config } = useServices();
  const conveyancingCase = useClient().data?.conveyancing_case;
  const matter = conveyancingCase?.matters.find(({ id }) => id === matterId);
  const firm = conveyancingCase?.firm.name ?? config.firm?.name ?? 'your conveyancer';
  const isNarrow = useMedia('(max-width: 900px)');
  const total = lines.find((line) => line.total)?.amount ?? 0;
  const content = (
    <>
      <div className={styles.for}>
        <p>{explanation}</p>
        {matter && <p>{propertyAddress(matter.property)}</p>}
        {reference !== null && <p>Your reference: {reference}</p>}
      </div>
      <MoneyLines lines={lines} />
      <div className={styles.after}>
        <p>
          {paidToFirm ? `Paid to ${firm}.` : `Paid to ${firm}, for our client account.`} {next}
        </p>
        {children}
      </div>
    </>
  );
  // Without room for two columns, the form comes first.
  return isNarrow ? (
    <details className={classNames(styles.bill, styles.folded)} open={isOpen}>
      <summary>
        <span>{title}</span> <strong>{formatMoney(total)}</strong>
      </summary>
      {content}
    </details>
  ) : (
    <Panel title={title} look="raised" className={styles.bill}>
      {content}
    </Panel>
  );
}

/** The address in one line: "The Old Chapel, Priory Lane, Frome BA11 4QX". */
export const propertyAddress = ({ address_lines, town, postcode }: Property): string =>
  [...address_lines, `${town} ${postcode.replace(' ', '\u00a0')}`].join(', ');
