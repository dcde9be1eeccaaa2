import type { CaseSearch, Property } from '@keyturn/contract';
import { useClient } from '../../api/queries.ts';
import { useServices } from '../../api/services.ts';
import { formatDayRange, londonDay, workingWeekOf } from '../../ui/format-date.ts';
import { formatRate } from '../../ui/format-money.ts';
import { MoneyLines } from '../../ui/money-lines.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './payments.module.css';

/** What the money is for, to the penny, who gets it and what happens then. */
export function Bill({ caseSearch }: { caseSearch: CaseSearch }) {
  const { config } = useServices();
  const client = useClient().data;
  const matter = client?.conveyancing_case?.matters.find(({ id }) => id === caseSearch.matter_id);
  const { price } = caseSearch;
  const firm = client?.conveyancing_case?.firm.name ?? config.firm?.name ?? 'your conveyancer';
  return (
    <Panel title={caseSearch.name} look="raised" className={styles.bill}>
      {matter && <p className={styles.for}>{addressOf(matter.property)}</p>}
      <MoneyLines
        lines={[
          { label: 'Search fee', amount: price.net },
          { label: price.vat > 0 ? `VAT at ${formatRate(price.vat_rate)}` : 'No VAT', amount: price.vat },
          { label: 'To pay', amount: price.gross, total: true },
        ]}
      />
      <div className={styles.after}>
        <p>
          Paid to {firm}, client account. We order the search the same working day{expected(caseSearch)}.
        </p>
        <p>{caseSearch.refund_rule}</p>
      </div>
    </Panel>
  );
}

/** One line: "The Old Chapel, Priory Lane, Frome BA11 4QX". */
export const addressOf = ({ address_lines, town, postcode }: Property): string =>
  [...address_lines, `${town} ${postcode.replace(' ', '\u00a0')}`].join(', ');

function expected({ expected_on }: CaseSearch): string {
  if (!expected_on) return '';
  const { from, to } = workingWeekOf(expected_on);
  return ` and expect it back in the week of ${formatDayRange(from, to, londonDay(new Date()))}`;
}
