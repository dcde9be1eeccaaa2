import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { AttemptDecline } from '../../../api/payments/payment-tab-store.ts';
import { type Services, ServicesContext } from '../../../api/services/services.ts';
import { DeclineMessage } from './decline-message.tsx';

const textFor = (firm: { phone: string } | null, decline: AttemptDecline = 'card_declined') =>
  renderToStaticMarkup(
    <ServicesContext value={{ config: { firm } } as unknown as Services}>
      <DeclineMessage decline={decline} />
    </ServicesContext>,
  ).replaceAll(/<[^>]+>/g, '');

test('a decline says what happened, that nothing was charged, what to do and which number to call', () => {
  expect(textFor({ phone: '0117 496 0100' })).toBe(
    'Your bank declined this card. You have not been charged. Try another card, or call us on 0117 496 0100.',
  );
});

test('a decline names no phone number if the firm has none', () => {
  expect(textFor(null)).toBe('Your bank declined this card. You have not been charged. Try another card.');
});

test('an attempt to pay while offline is called offline, not a late answer', () => {
  vi.stubGlobal('navigator', { onLine: false });
  expect(textFor(null, 'no_response')).toMatch(/^You’re offline\. You have not been charged\./);
  vi.stubGlobal('navigator', { onLine: true });
  expect(textFor(null, 'no_response')).toMatch(/^We did not hear back in time\./);
  vi.unstubAllGlobals();
});
