import type { DeskBill } from '@keyturn/contract/staff';
import { formatShortDay } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { useState } from 'react';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import { type Column, Table } from '../../../ui/table/table.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';
import { BillDocumentDialog } from './bill-document-dialog.tsx';
import { BillLinesDialog } from './bill-lines-dialog.tsx';
import { whyFixed } from './entered-lines.ts';

/** The bills of the case, their lines and documents. Every role can change them. */
export function Bills({ deskCase, changes }: Pick<CasePartProps, 'deskCase' | 'changes'>) {
  const [opened, setOpened] = useState<{ what: 'lines' | 'document'; id: string } | null>(null);
  const bill = deskCase.bills.find(({ id }) => id === opened?.id);
  const close = () => setOpened(null);
  return (
    <Section title="Bills">
      <Table
        label="Bills of the case"
        columns={columnsFor((what, id) => setOpened({ what, id }))}
        query={{ data: deskCase.bills, error: null, isFetching: false, refetch: changes.refresh }}
        keyOf={({ id }) => id}
        empty={null}
      />
      {bill && opened?.what === 'lines' && <BillLinesDialog bill={bill} changes={changes} onClose={close} />}
      {bill && opened?.what === 'document' && (
        <BillDocumentDialog bill={bill} changes={changes} onClose={close} />
      )}
    </Section>
  );
}

const columnsFor = (onOpen: (what: 'lines' | 'document', id: string) => void): Column<DeskBill>[] => [
  {
    key: 'bill',
    heading: 'Bill',
    isRowHeader: true,
    cell: ({ number, description }) => `${number}: ${description}`,
  },
  { key: 'money', heading: 'Total', align: 'end', cell: ({ gross }) => formatMoney(gross) },
  {
    key: 'left',
    heading: 'Left to pay',
    cell: ({ left, is_due, due_on }) =>
      left === 0
        ? 'Paid'
        : `${formatMoney(left)}, ${is_due ? 'due' : due_on ? `due ${formatShortDay(due_on)}` : 'due on completion'}`,
  },
  {
    key: 'actions',
    heading: 'Actions',
    isHeadingHidden: true,
    cell: (bill) => <BillActions bill={bill} onOpen={onOpen} />,
  },
];

function BillActions({
  bill,
  onOpen,
}: {
  bill: DeskBill;
  onOpen(what: 'lines' | 'document', id: string): void;
}) {
  const { id, number, document_id, version } = bill;
  const fixed = whyFixed(bill);
  return (
    <span className={styles.rowActions}>
      {document_id && (
        <a href={`/api/staff/documents/${document_id}/file`} target="_blank" rel="noreferrer">
          Open<VisuallyHidden> bill {number} in a new tab</VisuallyHidden>
        </a>
      )}
      {/* A server of the last release sends no version, and cannot change bills. */}
      {version && (
        <Button look="plain" onClick={() => onOpen('document', id)}>
          {document_id ? 'Replace the PDF' : 'Share the PDF'}
          <VisuallyHidden> of bill {number}</VisuallyHidden>
        </Button>
      )}
      {version && fixed === null && (
        <Button look="plain" onClick={() => onOpen('lines', id)}>
          Edit lines<VisuallyHidden> of bill {number}</VisuallyHidden>
        </Button>
      )}
      {fixed && <span className={styles.soft}>{fixed}</span>}
    </span>
  );
}
