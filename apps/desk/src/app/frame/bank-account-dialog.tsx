import { useStore } from '@keyturn/browser/store/create-store.ts';
import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { noBankAccountQuestion } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';

/** Asks whether numbers that the member wrote are a bank account. If they are something else, the call is repeated. */
export function BankAccountDialog() {
  const question = useStore(noBankAccountQuestion.open);
  const answer = (isNoBankAccount: boolean) => question?.settle(isNoBankAccount);
  return (
    <Dialog
      open={question !== null}
      onClose={() => answer(false)}
      title="Is this a bank account?"
      actions={
        <>
          <Button onClick={() => answer(false)}>Yes, don’t send it</Button>
          <Button look="primary" onClick={() => answer(true)}>
            No, send it
          </Button>
        </>
      }
    >
      <p>
        Some of the numbers that you wrote could be a sort code and an account number. Give bank details by
        telephone, or in a document: we never give them here, so that clients recognise fraud.
      </p>
    </Dialog>
  );
}
