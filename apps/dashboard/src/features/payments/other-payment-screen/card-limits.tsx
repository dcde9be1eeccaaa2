import type { PaymentMethod, PaymentMethodConfig } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { useBankDetailsText } from '../../../api/case/use-bank-details-text.ts';
import { useMethodsConfig } from '../../../api/payments/payment-methods.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { useServices } from '../../../api/services/services.ts';
import { Panel } from '../../../ui/content/panel.tsx';
import billStyles from '../frame/bill.module.css';
import styles from './card-limits.module.css';

/** How much can be paid by each method, and how to pay more. Bank details are never shown. */
export function CardLimits() {
  const { config } = useServices();
  const firm = useClient().data?.conveyancing_case?.firm ?? config.firm;
  const methods = useMethodsConfig();
  const bankDetails = useBankDetailsText();
  const offersBank = methods.bank.purposes.length > 0;
  const offersCard = methods.card.purposes.length > 0;
  return (
    <aside>
      <Panel
        title={offersBank ? 'How much you can pay' : 'How much you can pay by card'}
        look="raised"
        className={billStyles.bill}
      >
        {offersCard && offersBank && <h3 className={styles.method}>By card</h3>}
        {offersCard && <Limits limits={methods.card.limits} method="card" />}
        {offersCard && offersBank && <h3 className={styles.method}>By bank</h3>}
        {offersBank && <Limits limits={methods.bank.limits} method="bank" />}
        <div className={billStyles.after}>
          <p>
            <strong>To pay more, use a bank transfer.</strong> Call {firm ? firm.name : 'us'} on a number you
            already have, from your first letter for example, and confirm the bank details by phone before you
            send any money.
          </p>
          <p>Bank details are never shown here. {bankDetails}</p>
        </div>
      </Panel>
    </aside>
  );
}

function Limits({ limits, method }: { limits: PaymentMethodConfig['limits']; method: PaymentMethod }) {
  const { min, max, daily_max } = limits;
  return (
    <dl className={styles.limits}>
      <div>
        <dt>Per payment</dt>
        <dd>
          {formatMoney(min)} to {formatMoney(max)}
        </dd>
      </div>
      <div>
        <dt>Per day, for your case</dt>
        <dd>up to {formatMoney(daily_max)}</dd>
      </div>
      <div>
        <dt>Fee for paying by {method}</dt>
        <dd>none</dd>
      </div>
    </dl>
  );
}
