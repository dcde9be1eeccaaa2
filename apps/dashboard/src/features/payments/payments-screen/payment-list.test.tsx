import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { caseSearchFixture } from '../../../../fixtures/entities.ts';
import { PaymentList } from './payment-list.tsx';

test('says where the receipt is of a search that was paid by another method', () => {
  const search = caseSearchFixture({ status: 'paid', paid_at: '2026-11-20T10:00:00.000Z', payment: null });
  const html = renderToStaticMarkup(
    <PaymentList
      payments={[]}
      paidOtherwise={[search]}
      caseSearches={[search]}
      matters={[]}
      onCancelled={() => undefined}
    />,
  );
  expect(html).toContain('Paid by another method, so its receipt isn’t here. Ask us if you need a copy.');
});
