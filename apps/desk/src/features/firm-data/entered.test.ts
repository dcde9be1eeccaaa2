import { describe, expect, test } from 'vitest';
import { grossOf } from '../../ui/forms/entered-price.ts';
import { enteredCatalogue, moved, newSearch, toCatalogue } from './entered-catalogue.ts';
import { enteredFirm, toFirmDetails } from './entered-firm.ts';
import { enteredPath, toMilestonePath, withNewStep } from './entered-path.ts';

const search = {
  code: 'ENVIRO',
  name: 'Environmental search',
  supplier: null,
  explanation: 'Risks.',
  net: 3_505,
  vat_rate: 17.5,
  refund_rule: 'None.',
  required_by: 'lender',
  usual_working_days: { from: 1, to: 2 },
} as const;

describe('the form of the search catalogue', () => {
  test('sends what it was filled with', () => {
    const other = { ...search, supplier: 'Terrain Data', usual_working_days: null };
    expect(toCatalogue(enteredCatalogue([search, other]))).toEqual([search, other]);
  });

  test.each([
    ['35', 3_500],
    ['£1,234.5', 123_450],
    ['0.29', 29],
    ['12.345', -1],
    ['-3', -1],
    ['', -1],
    ['cheap', -1],
  ])('reads a price of %s as %d pence', (net, pence) => {
    expect(toCatalogue([{ ...newSearch, net }])[0]?.net).toBe(pence);
  });

  test('shows the price with VAT, rounded half up, once it can be read', () => {
    expect(grossOf({ net: '35.05', vat_rate: '17.5' })).toBe(4_118);
    expect(grossOf({ net: '', vat_rate: '20' })).toBeNull();
  });

  test('moves a search up and down', () => {
    expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
    expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  });
});

describe('the form of a milestone path', () => {
  const path = {
    stations: [{ title: 'Opening', key_moment: false }],
    steps: [
      {
        key: 'instructed',
        title: 'Opening your case',
        explanation: 'You’ve asked us to act.',
        actor: 'us' as const,
        usual_working_days: { from: 1, to: 3 },
        station: 0,
        usual_weeks: null,
      },
    ],
  };

  test('sends what it was filled with', () => {
    expect(toMilestonePath(enteredPath(path))).toEqual(path);
  });

  test('adds a step that is different from all others', () => {
    const { steps } = withNewStep(withNewStep(enteredPath(path)));
    expect(steps.map(({ id }) => id)).toEqual([0, 1, 2]);
  });

  test.each(['-1', 'ten', '1.5'])('sends a duration of %s as one that the server refuses', (from) => {
    const entered = enteredPath(path);
    const [step] = entered.steps;
    const sent = toMilestonePath({ ...entered, steps: step ? [{ ...step, from }] : [] });
    expect(sent.steps[0]?.usual_working_days?.from).toBe(-1);
  });
});

describe('the form of the firm’s details', () => {
  const firm = {
    name: 'Alder & Finch',
    sra_number: '123456',
    phone: '01632 960000',
    address: ['1 Market Place', 'Frome'],
    opening_hours: 'Monday to Friday',
    vat_number: null,
    order_cutoff: '15:00',
    closed_on: ['2026-12-24'],
  };

  test('sends what it was filled with, without empty lines and spaces', () => {
    const entered = enteredFirm(firm);
    expect(toFirmDetails(entered)).toEqual(firm);
    expect(toFirmDetails({ ...entered, address: ' 1 Market Place \n\n Frome\n' }).address).toEqual(
      firm.address,
    );
  });

  test('is empty before anyone has filled it', () => {
    expect(toFirmDetails(enteredFirm(null))).toMatchObject({ name: '', vat_number: null, closed_on: [] });
  });
});
