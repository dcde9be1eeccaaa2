import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type Services, ServicesContext } from '../../../api/services/services.ts';
import { RefusalMessage } from './refusal-message.tsx';

const textFor = (firm: { phone: string } | null) =>
  renderToStaticMarkup(
    <ServicesContext value={{ config: { firm } } as unknown as Services}>
      <RefusalMessage refusal="card_declined" />
    </ServicesContext>,
  ).replaceAll(/<[^>]+>/g, '');

test('a refusal says what happened, that nothing was charged, what to do and whom to call', () => {
  expect(textFor({ phone: '0117 496 0100' })).toBe(
    'Your bank declined this card. You have not been charged. Try another card, or call us on 0117 496 0100.',
  );
});

test('a refusal names no phone number if the firm has none', () => {
  expect(textFor(null)).toBe('Your bank declined this card. You have not been charged. Try another card.');
});
