import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type Services, ServicesContext } from '../../../api/services/services.ts';
import { DeclineMessage } from './decline-message.tsx';

const textFor = (firm: { phone: string } | null) =>
  renderToStaticMarkup(
    <ServicesContext value={{ config: { firm } } as unknown as Services}>
      <DeclineMessage decline="card_declined" />
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
