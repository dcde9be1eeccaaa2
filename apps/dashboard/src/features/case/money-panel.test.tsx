import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { caseFixture } from '../../../fixtures/entities.ts';
import { MoneyPanel } from './money-panel.tsx';

test('the money panel leads to the payments and receipts', () => {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  const html = renderToStaticMarkup(
    <RouterContextProvider router={router}>
      <MoneyPanel conveyancingCase={caseFixture()} caseSearches={[]} />
    </RouterContextProvider>,
  );
  expect(html).toMatch(/<a [^>]*href="\/payments"[^>]*>See your payments and receipts<\/a>/);
});
