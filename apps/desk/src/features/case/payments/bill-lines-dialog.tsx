import { type DeskBill, maxBillLines } from '@keyturn/contract/staff';
import { Button } from '../../../ui/base/button.tsx';
import type { CaseChanges } from '../case-queries.ts';
import { EditDialog } from '../edits/edit-dialog.tsx';
import { EditFields } from '../edits/edit-fields.tsx';
import { sendBill } from '../edits/send-edits.ts';
import styles from './bill-lines-dialog.module.css';
import {
  type BillField,
  billFields,
  billValues,
  enteredLines,
  readBill,
  sumInWords,
  withoutLine,
} from './entered-lines.ts';

const storedBill = (bill: DeskBill) => ({ version: bill.version ?? '', values: billValues(bill) });

/** Changes the lines of a bill, and shows what they add up to. */
export function BillLinesDialog({
  bill,
  changes,
  onClose,
}: {
  bill: DeskBill;
  changes: CaseChanges;
  onClose(): void;
}) {
  return (
    <EditDialog<BillField>
      title={`Lines of bill ${bill.number}`}
      fields={billFields}
      layout={({ fields, values, errors, onChange, setValues }) => {
        const filledIn = enteredLines(values).length;
        const ofLine = (index: number) => fields.filter(({ name }) => name.startsWith(`lines.${index}.`));
        return (
          <>
            <p>
              Clients read the lines before they pay. Once a payment is started, they no longer change.
              {bill.document_id && ' If the PDF of the bill shows other sums, replace it too.'}
            </p>
            {Array.from({ length: Math.min(filledIn + 1, maxBillLines) }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the fields are named by their index.
              <fieldset key={index} className={styles.line}>
                <legend>{index < filledIn ? `Line ${index + 1}` : 'Add a line'}</legend>
                <EditFields fields={ofLine(index)} values={values} errors={errors} onChange={onChange} />
                {index < filledIn && filledIn > 1 && (
                  <Button
                    look="plain"
                    className={styles.remove}
                    aria-label={`Remove line ${index + 1}`}
                    onClick={() => setValues(withoutLine(values, index))}
                  >
                    Remove
                  </Button>
                )}
              </fieldset>
            ))}
            <p className={styles.sum} role="status">
              {sumInWords(values)}
            </p>
            <EditFields
              fields={fields.filter(({ name }) => !name.startsWith('lines.'))}
              values={values}
              errors={errors}
              onChange={onChange}
            />
          </>
        );
      }}
      stored={storedBill(bill)}
      changes={changes}
      find={(newest) => {
        const found = newest.bills.find(({ id }) => id === bill.id);
        return found ? storedBill(found) : null;
      }}
      save={(_changed, version, values) =>
        changes.save(
          sendBill(bill.id),
          { version, changes: readBill(values) },
          { done: `Bill ${bill.number} saved.`, undone: `Change to bill ${bill.number} undone.` },
        )
      }
      onClose={onClose}
    />
  );
}
