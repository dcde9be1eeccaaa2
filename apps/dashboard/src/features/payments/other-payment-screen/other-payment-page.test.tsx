import { expect, test } from 'vitest';
import { billFixture, clientFixture } from '../../../../fixtures/entities.ts';
import { renderScreen } from '../../../../fixtures/render-screen.tsx';
import OtherPaymentPage from './other-payment-page.tsx';

const htmlAt = (path: string, bill = billFixture({ id: 'bill', number: '26398-0', payable: 150_00 })) =>
  renderScreen(path, <OtherPaymentPage />, {
    client: clientFixture(),
    bills: [bill, billFixture({ id: 'another', number: '26398-1' })],
  });

test('the link of a bill opens that bill alone, with what is left of it', () => {
  const html = htmlAt('/payment-other?bill=bill');
  expect(html).toContain('>Pay our bill 26398-0</h1>');
  expect(html).toContain('value="150.00"');
  expect(html).not.toContain('What is the payment for?');
  expect(html).not.toContain('26398-1');
});

test.each([
  [150_00, '£1.00 to £150.00. £150.00 is left to pay on this bill.'],
  [13_800_00, '£1.00 to £5,000.00. £13,800.00 is left to pay on this bill.'],
])(
  'the form of a bill with %i pence left offers no more than that, and no more than one payment can be',
  (payable, hint) => {
    expect(htmlAt('/payment-other?bill=bill', billFixture({ id: 'bill', payable }))).toContain(hint);
  },
);

test('the link of a bill that cannot be paid says so, without a form', () => {
  const html = htmlAt('/payment-other?bill=bill', billFixture({ id: 'bill', payable: 0 }));
  expect(html).toContain('nothing left to pay');
  expect(html).not.toContain('<form');
  expect(htmlAt('/payment-other?bill=gone')).not.toContain('<form');
});

test('other payments have the whole form', () => {
  const html = htmlAt('/payment-other');
  expect(html).toContain('>Make another payment</h1>');
  expect(html).toContain('What is the payment for?');
});
