import type { CaseStatus } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { caseFixture, clientFixture, matterFixture } from '../../../fixtures/entities.ts';
import { renderScreen } from '../../../fixtures/render-screen.tsx';
import DocumentGroupPage from '../../features/documents/group-screen/document-group-page.tsx';
import MilestonesPage from '../../features/milestones/milestones-page.tsx';
import PaymentsPage from '../../features/payments/payments-screen/payments-page.tsx';
import HomePage from './home-page.tsx';

const folders = (['contract', 'after-completion'] as const).map((group) => ({
  group,
  matter_type: 'purchase' as const,
  name: 'A folder',
  empty_text: `The ${group} papers appear here once they come.`,
}));

function textOf(path: string, Screen: () => React.ReactNode, status: CaseStatus): string {
  const matters = [matterFixture({ status })];
  const html = renderScreen(path, <Screen />, {
    client: clientFixture({ conveyancing_case: caseFixture({ status, matters, tasks: [] }) }),
    caseSearches: [],
    milestones: [],
    payments: [],
    bills: [],
    newestHistory: [],
    documents: { data: [], folders },
  });
  return html.replaceAll(/<[^>]+>/g, ' ');
}

/** A word of a promise: something will come, or the client will be asked for something. */
const promise =
  /\bappears?\b|\bonce (?:we|they|you)\b|\byou’ll (?:see|find)\b|\bNone yet\b|\bNothing here yet\b/i;

describe.each([
  ['home page', '/', HomePage],
  ['milestones page', '/milestones', MilestonesPage],
  ['payments page', '/payments', PaymentsPage],
  ['empty folder', '/documents/purchase/contract', DocumentGroupPage],
] as const)('an empty %s', (_what, path, Screen) => {
  test('says what will come while the case is active', () => {
    expect(textOf(path, Screen, 'active')).toMatch(promise);
  });

  test.each(['on_hold', 'completed', 'abandoned'] as const)(
    'promises nothing when the case is %s',
    (status) => {
      expect(textOf(path, Screen, status)).not.toMatch(promise);
    },
  );
});

test('the folder for papers after completion still says what comes once the case is completed', () => {
  const path = '/documents/purchase/after-completion';
  expect(textOf(path, DocumentGroupPage, 'completed')).toContain('The after-completion papers appear here');
  expect(textOf(path, DocumentGroupPage, 'abandoned')).not.toMatch(promise);
});
