import { describe, expect, test } from 'vitest';
import { matterFixture } from '../../../../fixtures/entities.ts';
import { caseHeading } from './case-title.ts';

const home = (address_lines: string[], town = 'Bath') => ({
  ...matterFixture().property,
  address_lines,
  town,
});
const sale = matterFixture({ matter_type: 'sale', property: home(['14 Alder Row']) });
const purchase = matterFixture();

describe('the heading of a case', () => {
  test('goes from the home that is sold to the home that is bought, in whatever order they came', () => {
    expect(caseHeading([purchase, sale])).toEqual({ from: '14 Alder Row', to: 'The Old Chapel' });
    expect(caseHeading([sale, purchase])).toEqual({ from: '14 Alder Row', to: 'The Old Chapel' });
  });

  test('is the one home of a case with one matter', () => {
    expect(caseHeading([purchase])).toEqual({ from: null, to: 'The Old Chapel' });
  });

  test('names a home once, however many matters it has', () => {
    const transfer = matterFixture({ matter_type: 'transfer-of-equity' });
    const remortgage = matterFixture({ matter_type: 'remortgage' });
    expect(caseHeading([transfer, remortgage]).to).toBe('The Old Chapel');
    expect(caseHeading([transfer, { ...remortgage, property: sale.property }]).to).toBe(
      'The Old Chapel and 14 Alder Row',
    );
  });

  test('is plain for a case without matters', () => {
    expect(caseHeading([])).toEqual({ from: null, to: 'Your case' });
  });
});
