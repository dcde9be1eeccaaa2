import type { Regulation } from '@keyturn/contract';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { caseFixture, clientFixture } from '../../../fixtures/entities.ts';
import { renderScreen } from '../../../fixtures/render-screen.tsx';
import { ComplaintsPage, PrivacyPage, RegulationPage, TermsPage } from './firm-pages.tsx';

const nothingEntered: Regulation = {
  legal_form: null,
  legal_name: null,
  company_number: null,
  registered_in: null,
  registered_office: [],
  member_names: [],
  members_list_at: null,
  regulator: null,
  complaints_name: null,
  complaints_email: null,
  data_protection_name: null,
  data_protection_email: null,
  terms: [],
  insurer_name: null,
  insurer_contact: null,
  insurer_cover: null,
  ombudsman_text: [],
  badge_url: null,
  has_none_of: [],
  bank_details_adopted_on: null,
};

function wordsOf(page: ReactNode, regulation: Regulation | null, firm = caseFixture().firm): string {
  const html = renderScreen('/regulation', page, { client: clientFixture(), config: { firm, regulation } });
  return html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

test('the pages about a firm of the CLC name the CLC, its register and rules, and never the SRA', () => {
  const regulation: Regulation = { ...nothingEntered, legal_form: 'company', regulator: 'clc' };
  const words = wordsOf(<RegulationPage />, regulation) + wordsOf(<ComplaintsPage />, regulation);
  expect(words).toContain('Regulated by the Council for Licensed Conveyancers (practice number 000000).');
  expect(words).toContain('CLC Handbook');
  expect(words).toContain('Report a firm to the CLC');
  expect(words).not.toMatch(/SRA|Solicitors/);
});

test.each([null, nothingEntered])(
  'the pages about a firm that has entered nothing name no regulator, insurer or terms (%j)',
  (regulation) => {
    const regulated = wordsOf(<RegulationPage />, regulation);
    expect(regulated).not.toMatch(/regulated|insurer|insurance|SRA|CLC/i);
    expect(wordsOf(<TermsPage />, regulation)).toContain('Ask us for a copy of the terms');
    expect(wordsOf(<ComplaintsPage />, regulation)).not.toContain('our regulator');
    expect(wordsOf(<ComplaintsPage />, regulation)).toContain('Legal Ombudsman, PO Box 6167');
    expect(wordsOf(<PrivacyPage />, regulation)).not.toContain('is the controller of the personal data');
  },
);

test('clients read the firm’s own text about the Legal Ombudsman in place of Keyturn’s', () => {
  const words = wordsOf(<ComplaintsPage />, { ...nothingEntered, ombudsman_text: ['Our own words.'] });
  expect(words).toContain('Our own words.');
  expect(words).not.toContain('PO Box 6167');
});

test('the page Regulation has a sandboxed frame with the regulator’s badge if the firm has entered its code', () => {
  const frameOf = (badge_url: string | null) =>
    /<iframe[^>]*>/.exec(
      renderScreen('/regulation', <RegulationPage />, {
        client: clientFixture(),
        config: { firm: caseFixture().firm, regulation: { ...nothingEntered, badge_url } },
      }),
    )?.[0] ?? null;
  const url = 'https://cdn.yoshki.com/iframe/55845r.html';
  expect(frameOf(url)).toContain(`src="${url}"`);
  expect(frameOf(url)).toContain('sandbox="allow-scripts');
  expect(frameOf(url)).not.toContain('allow-top-navigation');
  expect(frameOf(null)).toBeNull();
});

test('every page about the firm names the telephone, post and reasonable adjustments', () => {
  for (const Page of [RegulationPage, ComplaintsPage, PrivacyPage, TermsPage]) {
    const words = wordsOf(<Page />, nothingEntered);
    for (const text of ['by telephone', 'by post', 'reasonable adjustments', 'large print'])
      expect(words, Page.name).toContain(text);
  }
});

test('the page Privacy says that the provider of the regulator’s badge sees who opens its page, if the firm has one', () => {
  const badge_url = 'https://cdn.yoshki.com/iframe/55845r.html';
  expect(wordsOf(<PrivacyPage />, { ...nothingEntered, badge_url })).toContain(
    'Yoshki learns your IP address',
  );
  expect(wordsOf(<PrivacyPage />, nothingEntered)).not.toContain('Yoshki');
});
