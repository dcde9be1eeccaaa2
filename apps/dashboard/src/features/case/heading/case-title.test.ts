import { expect, test } from 'vitest';
import { matterFixture } from '../../../../fixtures/entities.ts';
import { caseTitle } from './case-title.ts';

const home = (address_lines: string[], town = 'Bath') => ({
  ...matterFixture().property,
  address_lines,
  town,
});
const sale = matterFixture({ matter_type: 'sale', property: home(['14 Alder Row']) });
const purchase = matterFixture();

test('titles a case from the home being sold to the home being bought, in any order of matters', () => {
  expect(caseTitle([purchase, sale])).toEqual({ from: '14 Alder Row', to: 'The Old Chapel' });
  expect(caseTitle([sale, purchase])).toEqual({ from: '14 Alder Row', to: 'The Old Chapel' });
});

test('titles a case with one matter by its home', () => {
  expect(caseTitle([purchase])).toEqual({ from: null, to: 'The Old Chapel' });
});

test('names each home once in the case title, however many matters it has', () => {
  const transfer = matterFixture({ matter_type: 'transfer-of-equity' });
  const remortgage = matterFixture({ matter_type: 'remortgage' });
  expect(caseTitle([transfer, remortgage]).to).toBe('The Old Chapel');
  expect(caseTitle([transfer, { ...remortgage, property: sale.property }]).to).toBe(
    'The Old Chapel and 14 Alder Row',
  );
});

test('uses a generic title for a case without matters', () => {
  expect(caseTitle([])).toEqual({ from: null, to: 'Your case' });
});
