import type { DatesEdit, DeskMatter } from '@keyturn/contract/staff';
import { formatDay } from '@keyturn/format/london-time';
import { useState } from 'react';
import { describeClientBalance, describeOfficeBalance } from '../../../api/ledger-balances.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';
import { EditDialog, type StoredValues } from '../edits/edit-dialog.tsx';
import type { EditField } from '../edits/edit-fields.tsx';
import { emptyToNull } from '../edits/form-values.ts';
import { sendDates } from '../edits/send-edits.ts';
import { ExchangeDialog } from '../exchange/exchange-dialog.tsx';
import { depositText, isExchanged } from '../exchange/exchange-entries.ts';
import { matterName } from '../matter-name.ts';

type DateField = 'target_exchange_on' | 'target_completion_on' | 'completed_on';

const fields: readonly EditField<DateField>[] = [
  { name: 'target_exchange_on', label: 'Exchange planned for', kind: 'day' },
  { name: 'target_completion_on', label: 'Completion planned for', kind: 'day' },
  { name: 'completed_on', label: 'Completed on', kind: 'day' },
];

const storedDates = (matter: DeskMatter): StoredValues<DateField> => ({
  version: matter.version,
  values: {
    target_exchange_on: matter.target_exchange_on ?? '',
    target_completion_on: matter.target_completion_on ?? '',
    completed_on: matter.completed_on ?? '',
  },
});

/** The days of exchange and completion of each matter. */
export function KeyDates({ deskCase, changes, mayEdit }: CasePartProps) {
  const [editedId, setEditedId] = useState<string | null>(null);
  const [exchange, setExchange] = useState<{ id: string; takesBack: boolean } | null>(null);
  const edited = deskCase.matters.find(({ id }) => id === editedId);
  const exchanged = deskCase.matters.find(({ id }) => id === exchange?.id);
  return (
    <>
      {deskCase.matters.map((matter) => {
        const name = matterName(matter);
        return (
          <Section
            key={matter.id}
            title={deskCase.matters.length > 1 ? `Key dates: ${name}` : 'Key dates'}
            actions={
              mayEdit && (
                <>
                  {hasExchange(matter) &&
                    (isExchanged(matter) ? ['Correct exchange', takeBack] : ['Mark exchange']).map(
                      (action) => (
                        <Button
                          key={action}
                          onClick={() => setExchange({ id: matter.id, takesBack: action === takeBack })}
                          aria-label={`${action}: ${name}`}
                        >
                          {action}
                        </Button>
                      ),
                    )}
                  <Button
                    onClick={() => setEditedId(matter.id)}
                    aria-label={`Edit the key dates of the ${name}`}
                  >
                    Edit
                  </Button>
                </>
              )
            }
          >
            <dl className={styles.definitions}>
              {factsOf(matter).map(([label, text]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{text ?? <span className={styles.soft}>Not known</span>}</dd>
                </div>
              ))}
            </dl>
          </Section>
        );
      })}
      {exchanged && (
        <ExchangeDialog
          matter={exchanged}
          takesBack={exchange?.takesBack === true}
          changes={changes}
          onClose={() => setExchange(null)}
        />
      )}
      {edited && (
        <EditDialog
          title="Key dates"
          fields={fields}
          stored={storedDates(edited)}
          changes={changes}
          find={(newest) => {
            const found = newest.matters.find(({ id }) => id === edited.id);
            return found ? storedDates(found) : null;
          }}
          save={(changed, version) =>
            changes.save(sendDates(edited.id), toEdit(changed, version), savedTexts)
          }
          onClose={() => setEditedId(null)}
        />
      )}
    </>
  );
}

const takeBack = 'Take back exchange';

const hasExchange = ({ matter_type }: DeskMatter) => matter_type === 'sale' || matter_type === 'purchase';

/** The labels and texts of the key dates; null for what is not known. */
function factsOf(matter: DeskMatter): [label: string, text: string | null][] {
  const day = (value: string | null) => value && formatDay(value);
  const { exchange, exchanged_on, target_completion_on } = matter;
  return [
    ...(hasExchange(matter)
      ? ([
          ['Exchange planned for', day(matter.target_exchange_on)],
          ['Exchanged on', day(exchanged_on)],
          ...(exchange
            ? [
                ['Deposit', depositText(exchange)],
                [
                  'Exchange authorised',
                  `By ${exchange.authorised_by} on ${formatDay(exchange.authorised_on)}`,
                ],
              ]
            : []),
        ] as [string, string | null][])
      : []),
    [exchanged_on ? 'Completion agreed for' : 'Completion planned for', day(target_completion_on)],
    ['Completed on', day(matter.completed_on)],
    ...(matter.ledger
      ? ([
          ['Client ledger', describeClientBalance(matter.ledger)],
          ['Office ledger', describeOfficeBalance(matter.ledger) ?? 'Not sent'],
        ] as [string, string | null][])
      : []),
  ];
}

const savedTexts = { done: 'Key dates saved.', undone: 'Change to the key dates undone.' };

const toEdit = (changed: Partial<Record<DateField, string>>, version: string): DatesEdit => ({
  version,
  changes: emptyToNull(changed),
});
