import { formatMoney } from '@keyturn/format/money';
import { Button } from '@keyturn/ui/base/button.tsx';
import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { useState } from 'react';
import styles from '../frame/bank-check.module.css';
import formStyles from '../frame/payment-form.module.css';
import type { PaymentOnScreen } from '../payment-screen/use-payment.ts';
import { useSandbox } from './use-sandbox.ts';

/** The bank's check (3-D Secure) in the sandbox: the client answers for the bank in a dialog. */
export function SandboxBankCheck({ payment }: { payment: PaymentOnScreen }) {
  const sandbox = useSandbox();
  const [open, setOpen] = useState(true);
  const amount = formatMoney(payment.amount);
  const answer = (outcome: 'approved' | 'refused') => {
    setOpen(false);
    void payment.answerBankCheck((client_secret) => sandbox.authenticate({ client_secret, outcome }));
  };
  return (
    <div className={styles.bank}>
      <Button size="full" busy={payment.busy} busyText="Waiting for your bank" onClick={() => setOpen(true)}>
        Continue to your bank
      </Button>
      {!payment.busy && (
        <Button look="plain" onClick={() => void payment.changeCard()}>
          Use another card
        </Button>
      )}
      <Dialog
        open={open && !payment.busy}
        onClose={() => setOpen(false)}
        title="Test bank"
        actions={
          <>
            <Button look="quiet" onClick={() => answer('refused')}>
              No, refuse it
            </Button>
            <Button onClick={() => answer('approved')}>Yes, approve {amount}</Button>
          </>
        }
      >
        <p>Are you paying {amount} to your conveyancer now?</p>
        <p className={formStyles.hint}>This replaces your bank’s own page. No money moves.</p>
      </Dialog>
    </div>
  );
}
