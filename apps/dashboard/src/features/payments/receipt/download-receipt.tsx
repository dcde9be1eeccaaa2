import { useAction } from '@keyturn/browser/action/use-action.ts';
import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import type { Payment } from '@keyturn/contract';
import { Button, type ButtonLook } from '@keyturn/ui/base/button.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { saveFile } from '@keyturn/ui/files/save-file.ts';
import { useServices } from '../../../api/services/services.ts';
import styles from './download-receipt.module.css';

export interface DownloadReceiptProps extends ButtonLook {
  payment: Payment;
  /** Names the receipt for screen readers, where nothing near the button does. */
  namesReceipt?: boolean;
}

/** Fetches the receipt with the client's token and hands it to the browser as a file. */
export function DownloadReceipt({ payment, namesReceipt = false, ...look }: DownloadReceiptProps) {
  const { call } = useServices();
  const { isBusy, failure, run } = useAction();
  const { receipt_number } = payment;
  if (receipt_number === null) return null;

  const download = async () => {
    const file = await call('GET /payments/{id}/receipt', { params: { id: payment.id } });
    saveFile(file, `Receipt ${receipt_number}.pdf`);
  };

  return (
    <div>
      <Button {...look} busy={isBusy} busyText="Fetching the receipt" onClick={() => void run(download)}>
        Download receipt (PDF)
        {namesReceipt && <VisuallyHidden> {receipt_number}</VisuallyHidden>}
      </Button>
      <p role="alert" className={styles.downloadFailure}>
        {failure !== null && `The receipt could not be downloaded. ${messageOf(failure)}`}
      </p>
    </div>
  );
}
