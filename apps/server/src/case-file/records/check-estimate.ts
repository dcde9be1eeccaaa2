import { formatMoney } from '@keyturn/format/money';
import { RecordRejected } from './rejected-record.ts';

/**
 * Checks that clients read why they pay more than the firm told them to expect.
 * @param gross pence with VAT
 * @throws RecordRejected
 */
export function checkEstimate(
  { estimate, above_estimate }: { estimate?: number | undefined; above_estimate?: string | undefined },
  gross: number,
): void {
  if (estimate === undefined) {
    if (above_estimate !== undefined)
      throw new RecordRejected('/above_estimate', 'cannot be set without estimate');
    return;
  }
  if (gross > estimate && above_estimate === undefined) {
    throw new RecordRejected(
      '/above_estimate',
      `is needed, because clients pay ${formatMoney(gross)} and your estimate was ${formatMoney(estimate)}`,
    );
  }
}
