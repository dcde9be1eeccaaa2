import type { CaseSearch, ConveyancingCase } from '@keyturn/contract';
import { amountDueNow } from '../../api/case/payable-now.ts';
import { Link } from '../../navigation/link.tsx';
import { MoneyLines } from '../../ui/content/money-lines.tsx';
import { Panel } from '../../ui/content/panel.tsx';

/** The amount due now, the amount the clients of the case have paid, and the way to every payment. */
export function MoneyPanel({
  conveyancingCase,
  caseSearches,
}: {
  conveyancingCase: ConveyancingCase;
  /** Undefined while loading. */
  caseSearches: CaseSearch[] | undefined;
}) {
  const { amount_due_later } = conveyancingCase;
  return (
    <Panel small title="Money" action={<Link to="/payments">See your payments and receipts</Link>}>
      <MoneyLines
        lines={[
          { label: 'Due now', amount: amountDueNow(conveyancingCase, caseSearches) },
          ...(amount_due_later > 0 ? [{ label: 'Due later', amount: amount_due_later }] : []),
          { label: 'Paid so far', amount: conveyancingCase.amount_paid },
        ]}
      />
    </Panel>
  );
}
