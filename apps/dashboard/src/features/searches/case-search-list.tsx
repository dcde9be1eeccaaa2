import type { CaseSearch, Matter } from '@keyturn/contract';
import { Link } from '@tanstack/react-router';
import { isPayableNow } from '../../api/case/payable-now.ts';
import { useCaseStore } from '../../api/case/use-case-state.ts';
import { buttonClass } from '../../ui/base/button.tsx';
import { classNames } from '../../ui/base/class-names.ts';
import moneyRow from '../../ui/content/money-row.module.css';
import { Panel } from '../../ui/content/panel.tsx';
import { StatusTag } from '../../ui/content/status-tag.tsx';
import { Unbroken } from '../../ui/content/unbroken.tsx';
import { VisuallyHidden } from '../../ui/content/visually-hidden.tsx';
import { formatMoney } from '../../ui/format/format-money.ts';
import { useToday } from '../../ui/format/use-today.ts';
import fresh from '../../ui/states/fresh.module.css';
import { useChanged } from '../../ui/states/use-changed.ts';
import styles from './case-search-list.module.css';
import { payableFirst, searchCost, searchInSentence, searchStatus } from './search-progress.ts';

export interface CaseSearchListProps {
  caseSearches: CaseSearch[];
  matters: Matter[];
  /** Returns the short name of a matter’s property. */
  homeOf: (matter: Matter) => string;
}

/** The property searches of a case: the purpose, status and cost of each, with a Pay button where payment is due. */
export function CaseSearchList({ caseSearches, matters, homeOf }: CaseSearchListProps) {
  // During a switch of cases, searches of the other case may still be in the list.
  const groups = matters
    .map((matter) => ({ matter, members: caseSearches.filter(({ matter_id }) => matter_id === matter.id) }))
    .filter(({ members }) => members.length > 0);
  return (
    <Panel title="Property searches">
      {groups.length === 0 && <p className={styles.sub}>{emptyText(matters)}</p>}
      {groups.map(({ matter, members }) => (
        <div key={matter.id} className={styles.group}>
          <p className={styles.sub}>{purposeOf(matter, homeOf(matter))}</p>
          <ul className={moneyRow.list}>
            {[...members].sort(payableFirst).map((caseSearch) => (
              <CaseSearchRow key={caseSearch.id} caseSearch={caseSearch} />
            ))}
          </ul>
        </div>
      ))}
    </Panel>
  );
}

function CaseSearchRow({ caseSearch }: { caseSearch: CaseSearch }) {
  const caseState = useCaseStore();
  const today = useToday();
  const { name, explanation, outcome, outcome_summary, result_document_id, price } = caseSearch;
  const canPay = isPayableNow(caseSearch);
  const { tone, label } = searchStatus(caseSearch, today);
  const { amount, note } = searchCost(caseSearch);
  const isFresh = useChanged(label);
  return (
    <li className={classNames(moneyRow.row, styles.row)}>
      <div className={classNames(moneyRow.what, styles.description)}>
        <h3>{name}</h3>
        <p>{explanation}</p>
        {outcome && outcome_summary && <p className={styles.outcome}>{outcome_summary}</p>}
        {result_document_id && (
          <p>
            <Link to="/documents/$id" params={{ id: result_document_id }}>
              Read the result<VisuallyHidden> of {searchInSentence(name)}</VisuallyHidden>
            </Link>
          </p>
        )}
      </div>
      <p className={moneyRow.state}>
        <span className={isFresh ? fresh.fresh : undefined}>
          <StatusTag tone={tone}>
            <Unbroken>{label}</Unbroken>
          </StatusTag>
        </span>
      </p>
      <p className={classNames(moneyRow.money, styles.money)} data-strong={canPay || undefined}>
        {amount} {note && <small>{note}</small>}
      </p>
      {canPay && (
        <Link
          to="/payment-details"
          className={`${buttonClass({ look: 'quiet', size: 'small' })} ${styles.pay}`}
          aria-label={`Pay ${formatMoney(price.gross)} for ${searchInSentence(name)}`}
          onClick={() => caseState.selectCaseSearch(caseSearch.id)}
        >
          Pay
        </Link>
      )}
    </li>
  );
}

function purposeOf({ matter_type }: Matter, home: string): string {
  if (matter_type === 'purchase') return `What we check about ${home} before you’re committed to buying it.`;
  if (matter_type === 'remortgage') return `What we check about ${home} before your new mortgage starts.`;
  return `What we check about ${home}.`;
}

function emptyText(matters: Matter[]): string {
  if (matters.length > 0 && matters.every(({ matter_type }) => matter_type === 'sale')) {
    return 'The buyer’s lawyer orders the searches for a sale. You don’t need to pay for any.';
  }
  return 'None yet. Once we know which searches you need, you’ll see each one here with its price and, later, its result.';
}
