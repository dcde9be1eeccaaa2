import type { FactsEntry } from '../history.ts';
import { type Found, isPaid } from './check-facts.ts';

/** Checks that every joint client sees the actual state. */
export function checkScreens({ screens, payments, searches }: FactsEntry): Found[] {
  const found: Found[] = [];
  const known = new Map(payments.map((payment) => [payment.id, payment]));
  const holding = new Map(
    payments.filter(({ status }) => status !== 'cancelled').map((payment) => [payment.searchId, payment]),
  );
  for (const screen of screens) {
    const where = `client ${screen.client}, case ${screen.caseId}`;
    const ofCase = payments.filter(({ caseId }) => caseId === screen.caseId);
    for (const [id, shown] of Object.entries(screen.payments)) {
      const payment = known.get(id);
      const isSame =
        payment?.status === shown.status &&
        payment.refundedAmount === shown.refundedAmount &&
        payment.dispute === shown.dispute;
      if (!isSame) {
        found.push({
          rule: 'every screen agrees',
          text: `${where} sees payment ${id} as ${JSON.stringify(shown)}, and it is ${payment?.status}, ${payment?.refundedAmount} refunded, dispute ${payment?.dispute}`,
          payment: id,
        });
      }
    }
    for (const { id } of ofCase.filter(({ status }) => status !== 'cancelled')) {
      if (!(id in screen.payments)) {
        found.push({ rule: 'every screen agrees', text: `${where} does not see payment ${id}`, payment: id });
      }
    }
    const amountPaid = ofCase
      .filter(({ status }) => isPaid(status))
      .reduce((sum, { amount, refundedAmount }) => sum + amount - refundedAmount, 0);
    if (amountPaid !== screen.amountPaid) {
      found.push({
        rule: 'every screen agrees',
        text: `${where} shows ${screen.amountPaid} as paid instead of ${amountPaid}`,
      });
    }
    for (const search of searches.filter(({ caseId }) => caseId === screen.caseId)) {
      const shown = screen.searches[search.id];
      const holder = holding.get(search.id)?.id ?? null;
      const isPayable = search.status === 'awaiting_payment';
      if (shown?.status !== search.status || shown.payment !== holder || shown.payable !== isPayable) {
        found.push({
          rule: 'every screen agrees',
          text: `${where} sees search ${search.id} as ${JSON.stringify(shown)}, and it is ${search.status} with ${holder}`,
          search: search.id,
        });
      }
    }
  }
  return found;
}
