import type { Bill } from '@keyturn/contract';
import { formatDay } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import { FieldError } from '@keyturn/ui/base/field.tsx';
import { Choice } from '@keyturn/ui/forms/choice.tsx';
import formStyles from '../frame/payment-form.module.css';

/** The bills that can be paid, with what is left of each. */
export function BillChoice({
  bills,
  chosenId,
  fault,
  onChoose,
}: {
  bills: Bill[];
  chosenId: string | null;
  fault: string | undefined;
  onChoose(bill: Bill): void;
}) {
  return (
    <fieldset className={formStyles.group}>
      <legend>Which bill are you paying?</legend>
      {fault && <FieldError id="bill-error">{fault}</FieldError>}
      {bills.map((bill, index) => (
        <Choice
          key={bill.id}
          // The error summary links to the first choice.
          id={index === 0 ? 'bill' : `bill-${bill.id}`}
          name="bill"
          checked={bill.id === chosenId}
          errorId={fault ? 'bill-error' : undefined}
          hint={describeBill(bill)}
          onChoose={() => onChoose(bill)}
        >
          Bill {bill.number}: {formatMoney(bill.payable)} to pay
        </Choice>
      ))}
    </fieldset>
  );
}

const describeBill = ({ description, issued_on, gross, payable }: Bill): string =>
  `${description}. Sent on ${formatDay(issued_on)}${payable < gross ? `, ${formatMoney(gross)} in all` : ''}.`;
