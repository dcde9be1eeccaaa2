import { expect, test } from 'vitest';
import { caseFixture } from '../../../fixtures/entities.ts';
import { renderAt } from '../../../fixtures/render-at.tsx';
import { MoneyPanel } from './money-panel.tsx';

test('the money panel leads to the payments and receipts', () => {
  const html = renderAt('/', <MoneyPanel conveyancingCase={caseFixture()} caseSearches={[]} />);
  expect(html).toMatch(/<a [^>]*href="\/payments"[^>]*>See your payments and receipts<\/a>/);
});
