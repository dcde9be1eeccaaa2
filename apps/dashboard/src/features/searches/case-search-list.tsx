import { type CaseSearch, caseStatusOf, type Firm, isClosed, type Matter } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { buttonClass } from '@keyturn/ui/base/button.tsx';
import { classNames } from '@keyturn/ui/base/class-names.ts';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useCaseStore } from '../../api/case/case-store.ts';
import { emptyText } from '../../api/case/empty-text.ts';
import { isPayableNow } from '../../api/case/payable-now.ts';
import { startedPayment } from '../../api/payments/started-payment.ts';
import { useClient } from '../../api/queries/use-client.ts';
import { Link } from '../../navigation/link.tsx';
import { Disclosure } from '../../ui/content/disclosure.tsx';
import moneyRow from '../../ui/content/money-row.module.css';
import { Panel } from '../../ui/content/panel.tsx';
import { Unbroken } from '../../ui/content/unbroken.tsx';
import fresh from '../../ui/states/fresh.module.css';
import { useChanged } from '../../ui/states/use-changed.ts';
import styles from './case-search-list.module.css';
import {
  isSearchSettled,
  payableFirst,
  searchCost,
  searchInSentence,
  searchStatus,
  settledHeading,
  settledText,
} from './search-progress.ts';

export interface CaseSearchListProps {
  caseSearches: CaseSearch[];
  matters: Matter[];
  firm: Firm;
  /** Returns the short name of a matter’s property. */
  homeOf: (matter: Matter) => string;
}

/** The property searches of a case: the purpose, status and cost of each, with a Pay button where payment is due. */
export function CaseSearchList({ caseSearches, matters, firm, homeOf }: CaseSearchListProps) {
  // During a switch of cases, searches of the other case may still be in the list.
  const groups = matters
    .map((matter) => ({ matter, members: caseSearches.filter(({ matter_id }) => matter_id === matter.id) }))
    .filter(({ members }) => members.length > 0);
  return (
    <Panel title="Property searches">
      {groups.length === 0 && <p className={styles.sub}>{emptyListText(matters)}</p>}
      {groups.map(({ matter, members }) => (
        <div key={matter.id} className={styles.group}>
          <p className={styles.sub}>{purposeOf(matter, homeOf(matter))}</p>
          <SearchRows
            members={members.filter((caseSearch) => !isSearchSettled(caseSearch)).sort(payableFirst)}
            firm={firm}
            isOver={isClosed(matter.status)}
          />
          <SettledSearches members={members.filter(isSearchSettled)} firm={firm} />
        </div>
      ))}
    </Panel>
  );
}

/** The searches that need nothing more from anyone, which start closed. */
function SettledSearches({ members, firm }: SearchRowsProps) {
  if (members.length === 0) return null;
  return (
    <Disclosure
      className={styles.settled}
      summary={
        <span>
          {settledHeading(members)} <small>{settledText(members)}</small>
        </span>
      }
    >
      <SearchRows members={members} firm={firm} />
    </Disclosure>
  );
}

interface SearchRowsProps {
  members: CaseSearch[];
  firm: Firm;
}

function SearchRows({ members, firm, isOver = false }: SearchRowsProps & { isOver?: boolean }) {
  if (members.length === 0) return null;
  return (
    <ul className={moneyRow.list}>
      {members.map((caseSearch) => (
        <CaseSearchRow key={caseSearch.id} caseSearch={caseSearch} firm={firm} isOver={isOver} />
      ))}
    </ul>
  );
}

interface CaseSearchRowProps {
  caseSearch: CaseSearch;
  firm: Firm;
  /** Whether the matter is closed, so that a search that was not paid for is no longer needed. */
  isOver: boolean;
}

function CaseSearchRow({ caseSearch, firm, isOver }: CaseSearchRowProps) {
  const caseState = useCaseStore();
  const today = useToday();
  const { name, explanation, outcome, outcome_summary, result_document_id, price } = caseSearch;
  const canPay = isPayableNow(caseSearch);
  const clientId = useClient().data?.id;
  const started = canPay ? startedPayment(caseSearch, clientId) : null;
  // Short, because the column of the buttons is narrow.
  const [press, what] = !started
    ? ['Pay', formatMoney(price.gross)]
    : [started.payer.kind === 'me' ? 'Continue' : 'View', 'the payment'];
  const isNotOrdered = isOver && !canPay && caseSearch.status === 'awaiting_payment' && !caseSearch.payment;
  const { tone, label } = isNotOrdered ? notOrdered : searchStatus(caseSearch, today, firm);
  const { amount, note } = isNotOrdered ? noCost : searchCost(caseSearch, firm);
  const isFresh = useChanged(label);
  return (
    <li className={classNames(moneyRow.row, styles.row)}>
      <div className={classNames(moneyRow.what, styles.description)}>
        <h3>{name}</h3>
        <p>{explanation}</p>
        {started && <p className={styles.started}>{started.text}</p>}
        {outcome && outcome_summary && <p className={styles.outcome}>{outcome_summary}</p>}
        {result_document_id && (
          <p>
            <Link to={`/documents/${result_document_id}`}>
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
          to={started ? '/payment' : '/payment-details'}
          className={`${buttonClass({ look: 'quiet', size: 'small' })} ${styles.pay}`}
          aria-label={`${press} ${what} for ${searchInSentence(name)}`}
          onClick={() => caseState.selectCaseSearch(caseSearch.id)}
        >
          {press}
        </Link>
      )}
    </li>
  );
}

const notOrdered = { tone: 'off', label: 'Not ordered' } as const;
const noCost = { amount: null, note: null };

function purposeOf({ matter_type }: Matter, home: string): string {
  if (matter_type === 'purchase') return `What we check about ${home} before you’re committed to buying it.`;
  if (matter_type === 'remortgage') return `What we check about ${home} before your new mortgage starts.`;
  return `What we check about ${home}.`;
}

function emptyListText(matters: Matter[]): string {
  if (matters.length > 0 && matters.every(({ matter_type }) => matter_type === 'sale')) {
    return 'The buyer’s lawyer orders the searches for a sale. You don’t need to pay for any.';
  }
  return emptyText(
    caseStatusOf(matters.map(({ status }) => status)),
    'None yet. Once we know which searches you need, you’ll see each one here with its price and, later, its result.',
  );
}
