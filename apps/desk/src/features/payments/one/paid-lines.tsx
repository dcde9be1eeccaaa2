import type { PaymentLine } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { type Column, Table } from '../../../ui/table/table.tsx';
import styles from '../payments.module.css';

type Row = PaymentLine & { key: string };

/** What a payment pays of each line of its bill, and which of it is client money. */
export function PaidLines({ lines }: { lines: readonly PaymentLine[] }) {
  return (
    <>
      <Table
        label="What this payment pays"
        columns={columns}
        query={{
          data: lines.map((line, index) => ({ ...line, key: String(index) })),
          error: null,
          isFetching: false,
          refetch: () => undefined,
        }}
        keyOf={({ key }) => key}
        empty={null}
      />
      <p className={styles.below}>
        Client money is paid first, line by line, and then the firm’s lines in proportion. A refund takes what
        was paid above the bill first, and then the firm’s money, unless finance chooses.
      </p>
    </>
  );
}

const money = (heading: string, amountOf: (line: Row) => number): Column<Row> => ({
  key: heading,
  heading,
  align: 'end',
  cell: (line) => formatMoney(amountOf(line)),
});

const columns: Column<Row>[] = [
  { key: 'line', heading: 'Line', isRowHeader: true, cell: ({ text }) => text },
  { key: 'money', heading: 'Money', cell: ({ client_money }) => (client_money ? 'Client' : 'Office') },
  money('Net', ({ net }) => net),
  money('VAT', ({ vat }) => vat),
  money('Total', ({ gross }) => gross),
];
