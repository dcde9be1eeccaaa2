import { toPaymentFailureCode } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { Button, buttonClass } from '@keyturn/ui/base/button.tsx';
import { methodsFor, useMethodsConfig } from '../../../api/payments/payment-methods.ts';
import type { PayableIntent } from '../../../api/payments/payment-queries.ts';
import { payByBankAtStripe } from '../../../api/payments/stripe-provider.ts';
import { Link } from '../../../navigation/link.tsx';
import { DeclineAlert } from '../declines/decline-message.tsx';
import bankStyles from '../frame/bank-check.module.css';
import type { ProviderRequest } from '../payment-screen/payment-controller.ts';
import type { PaymentOnScreen } from '../payment-screen/use-payment.ts';
import { useSandbox } from '../sandbox/use-sandbox.ts';
import { StripeUnavailable } from '../stripe/stripe-unavailable.tsx';
import { useReloadOnSignOut } from '../stripe/use-reload-on-sign-out.ts';
import { useStripe } from '../stripe/use-stripe.ts';
import styles from './pay-by-bank.module.css';

interface PayByBankProps {
  payment: PaymentOnScreen;
  intent: PayableIntent;
}

/** Before the client leaves for their bank: why the last attempt failed, what happens there, and the way there. */
export function PayByBank({ payment, intent }: PayByBankProps) {
  const failure = failureOf(payment);
  return (
    <>
      {failure && <DeclineAlert decline={failure} />}
      <ol className={styles.steps}>
        <li>
          You go to your bank’s app or website, and sign in as you always do. We never see your sign-in
          details.
        </li>
        <li>Check the amount there, {formatMoney(payment.amount)}, and approve the payment.</li>
        <li>You come back here, and we tell you when the money has arrived.</li>
      </ol>
      <GoToBank payment={payment} intent={intent} onGo={payment.pay} offersOthers />
    </>
  );
}

/** While the client is expected to approve the payment: the way back to their bank. */
export const BackToBank = ({ payment, intent }: PayByBankProps) => (
  <GoToBank payment={payment} intent={intent} onGo={payment.answerBankCheck} offersOthers={false} />
);

type GoToBankProps = PayByBankProps & {
  /** Whether another method can be chosen now: not while the bank may be asking for an approval. */
  offersOthers: boolean;
  onGo(request: ProviderRequest): Promise<void>;
};

const GoToBank = (props: GoToBankProps) =>
  props.intent.provider === 'stripe' ? <GoToBankAtStripe {...props} /> : <GoToSandboxBank {...props} />;

function GoToSandboxBank({ payment, offersOthers, onGo }: GoToBankProps) {
  const sandbox = useSandbox();
  return (
    <GoButton
      payment={payment}
      offersOthers={offersOthers}
      onPress={() => void onGo((secret) => sandbox.payByBank(secret))}
    />
  );
}

function GoToBankAtStripe({ payment, intent, offersOthers, onGo }: GoToBankProps) {
  const { stripe, loadState, retry } = useStripe(intent.publishable_key);
  const name = payment.payment?.payer.name ?? '';
  useReloadOnSignOut(payment.busy);
  return (
    <>
      {(loadState === 'failed' || loadState === 'slow') && (
        <StripeUnavailable what="The connection to your bank" arrival={loadState} onRetry={retry} />
      )}
      <GoButton
        payment={payment}
        offersOthers={offersOthers}
        isDisabled={!stripe}
        onPress={() => stripe && void onGo((secret) => payByBankAtStripe(stripe, secret, name))}
      />
    </>
  );
}

function GoButton({
  payment,
  offersOthers,
  isDisabled = false,
  onPress,
}: {
  payment: PaymentOnScreen;
  offersOthers: boolean;
  isDisabled?: boolean;
  onPress(): void;
}) {
  const config = useMethodsConfig();
  const purpose = payment.otherPayment?.category ?? 'search';
  const amount = payment.otherPayment ? payment.amount : null;
  return (
    <div className={bankStyles.bank}>
      <Button
        size="full"
        disabled={isDisabled}
        busy={payment.busy}
        busyText="Opening your bank"
        onClick={onPress}
      >
        Continue to your bank
      </Button>
      {offersOthers && !payment.busy && methodsFor(config, { purpose, amount }).includes('card') && (
        <Link to="/payment-details" className={buttonClass({ look: 'plain' })}>
          Choose another way to pay
        </Link>
      )}
    </div>
  );
}

/** The last attempt of this tab, or what the server knows: a client often comes back from their bank in another tab. */
function failureOf({ decline, busy, payment }: PaymentOnScreen) {
  if (busy) return null;
  if (decline !== null && decline !== 'no_response') return decline;
  return payment?.failure ? toPaymentFailureCode(payment.failure.code) : decline;
}
