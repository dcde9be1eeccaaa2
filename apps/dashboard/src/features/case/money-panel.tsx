import type { ConveyancingCase } from '@keyturn/contract';
import { MoneyLines } from '../../ui/money-lines.tsx';
import { Panel } from '../../ui/panel.tsx';

/** What is due, and what the clients of the case have paid. */
export function MoneyPanel({
  conveyancingCase: { amount_due, amount_paid },
}: {
  conveyancingCase: ConveyancingCase;
}) {
  return (
    <Panel small title="Money">
      <MoneyLines
        lines={[
          { label: 'Due now', amount: amount_due },
          { label: 'Paid so far', amount: amount_paid },
        ]}
      />
    </Panel>
  );
}
