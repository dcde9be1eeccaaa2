import type { Regulation } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { grossOf } from '../../ui/forms/entered-price.ts';
import { enteredFirm, toFirmDetails } from './details/entered-firm.ts';
import { enteredRegulation, toRegulation } from './details/entered-regulation.ts';
import { enteredCatalogue, newSearch, toCatalogue } from './entered-catalogue.ts';
import { enteredGroups, toDocumentGroups } from './entered-groups.ts';
import { moved, problemInWords } from './entered-members.ts';
import {
  canMoveStep,
  type EnteredPath,
  enteredPath,
  isOldFigure,
  memberOfField,
  placeInPath,
  toMilestonePath,
  withMovedStep,
  withNewStage,
  withNewStep,
} from './entered-path.ts';
import { describeKept, describePathChanges } from './path-preview.ts';

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
  test('the form of the search catalogue sends what it was filled with', () => {
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
    expect(toCatalogue([{ ...newSearch, id: 0, net }])[0]?.net).toBe(pence);
  });

  test('the form of the search catalogue shows the price with VAT, rounded half up, once it can be read', () => {
    expect(grossOf({ net: '35.05', vat_rate: '17.5' })).toBe(4_118);
    expect(grossOf({ net: '', vat_rate: '20' })).toBeNull();
  });

  test('the form of the search catalogue moves a search up and down', () => {
    expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
    expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  });
});

describe('the form of a milestone path', () => {
  const path = {
    stages: [{ title: 'Opening', key_moment: false }],
    steps: [
      {
        key: 'instructed',
        title: 'Opening your case',
        explanation: 'You’ve asked us to act.',
        actor: 'us' as const,
        usual_working_days: { from: 1, to: 3 },
        stage: 0,
        usual_weeks: null,
      },
    ],
  };

  test('the form of a milestone path sends what it was filled with', () => {
    expect(toMilestonePath(enteredPath(path))).toEqual(path);
  });

  test.each([
    ['', true],
    ['2025-11-29', true],
    ['2025-11-30', false],
    ['2026-11-01', false],
  ])('on 30 November 2026, usual times of “%s” need a new check: %s', (day, isOld) => {
    expect(isOldFigure(day, '2026-11-30')).toBe(isOld);
  });

  test('adds steps and stages that are different from all others', () => {
    const start = enteredPath(path);
    const [opening] = start;
    const added = withNewStage(withNewStep(withNewStep(start, opening?.id ?? -1), opening?.id ?? -1));
    const ids = added.flatMap((stage) => [stage.id, ...stage.steps.map(({ id }) => id)]);
    expect(new Set(ids).size).toBe(5);
  });

  test.each(['-1', 'ten', '1.5'])(
    'the form of a milestone path sends a duration of %s as one that the server rejects',
    (from) => {
      const [stage] = enteredPath(path);
      const [step] = stage?.steps ?? [];
      const sent = toMilestonePath(stage && step ? [{ ...stage, steps: [{ ...step, from }] }] : []);
      expect(sent.steps[0]?.usual_working_days?.from).toBe(-1);
    },
  );

  const step = (key: string, stage: number) => ({
    ...(path.steps[0] as (typeof path.steps)[0]),
    key,
    stage,
  });
  const stages = ['Opening', 'Searches', 'Exchange'].map((title) => ({ title, key_moment: false }));
  const three: EnteredPath = enteredPath({
    stages,
    steps: [step('a', 0), step('b', 0), step('c', 1), step('d', 2)],
  });
  const sentOrder = (entered: EnteredPath) =>
    toMilestonePath(entered).steps.map(({ key, stage }) => `${key}${stage}`);

  test('moves a step within its stage, and over its edge into the next one', () => {
    const [a, , c] = [0, 1, 2].map((id) => id);
    expect(sentOrder(withMovedStep(three, a ?? 0, 1))).toEqual(['b0', 'a0', 'c1', 'd2']);
    expect(sentOrder(withMovedStep(three, c ?? 0, 1))).toEqual(['a0', 'b0', 'c2', 'd2']);
    expect(sentOrder(withMovedStep(three, c ?? 0, -1))).toEqual(['a0', 'b0', 'c0', 'd2']);
  });

  test('does not move the first step of a path up or the last one down', () => {
    expect([canMoveStep(three, 0, -1), canMoveStep(three, 0, 1)]).toEqual([false, true]);
    expect([canMoveStep(three, 3, -1), canMoveStep(three, 3, 1)]).toEqual([true, false]);
    expect(withMovedStep(three, 3, 1)).toEqual(three);
  });

  test('moves a stage with its steps', () => {
    expect(sentOrder(moved(three, 0, 1))).toEqual(['c0', 'a1', 'b1', 'd2']);
  });

  test('the form of a milestone path finds what the server rejects', () => {
    expect(memberOfField(three, 'value.steps.2.title')).toMatchObject({ key: 'c' });
    expect(memberOfField(three, 'value.stages.1')).toMatchObject({ title: 'Searches' });
    expect(memberOfField(three, 'version')).toBeUndefined();
    expect(problemInWords('value.steps.2.title', 'must not have fewer than 1 characters')).toBe(
      'title: is missing',
    );
    expect(problemInWords('value.stages.1', 'has no steps')).toBe('has no steps');
    expect([placeInPath(three, 'value.steps.2.title'), placeInPath(three, 'value.stages.1')]).toEqual([
      'Step 3',
      'Stage 2',
    ]);
    expect(problemInWords('value.steps.2.key', 'is in the list twice')).toBe('key: is in the list twice');
  });
});

test('the form of the folders sends what it was filled with, on one line', () => {
  const empty = { purchase: 'A', sale: 'B', remortgage: 'C', 'transfer-of-equity': 'D' };
  const groups = [{ group: 'title' as const, name: 'Title and plan', empty }];
  expect(toDocumentGroups(enteredGroups(groups))).toEqual(groups);
  const [entered] = enteredGroups(groups);
  const typed = entered && { ...entered, name: ' Title ', empty: { ...empty, sale: 'Nothing\nyet. ' } };
  expect(toDocumentGroups(typed ? [typed] : [])).toEqual([
    { group: 'title', name: 'Title', empty: { ...empty, sale: 'Nothing yet.' } },
  ]);
});

describe('the preview of a changed path', () => {
  const none = { version: 2, changing: 3, keeping: 0, used: [], added: [], removed: [], changed: [] };

  test('the preview of a changed path lists each kind of change', () => {
    const added = [{ key: 'call', title: 'A call', matters: 3, passed: 1 }];
    const removed = [{ key: 'deposit', title: 'Deposit', matters: 1 }];
    expect(describePathChanges({ ...none, added, removed })).toEqual([
      {
        heading: 'New steps',
        steps: [
          {
            key: 'call',
            text: 'A call, in 3 matters; as not needed in 1 matter that has reached a later step',
          },
        ],
      },
      { heading: 'Steps that are removed', steps: [{ key: 'deposit', text: 'Deposit, in 1 matter' }] },
    ]);
    expect(describePathChanges(none)).toEqual([]);
  });

  test('the preview of a changed path says why matters keep their path', () => {
    const used = [{ key: 'survey', title: 'Survey', matters: 2 }];
    expect(describeKept({ keeping: 2, used })).toBe(
      '2 running matters keep their path, because they have used steps that the path no longer has: “Survey”.',
    );
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

  test('the form of the firm’s details sends what it was filled with, without empty lines and spaces', () => {
    const entered = enteredFirm(firm);
    expect(toFirmDetails(entered)).toEqual(firm);
    expect(toFirmDetails({ ...entered, address: ' 1 Market Place \n\n Frome\n' }).address).toEqual(
      firm.address,
    );
  });

  test('the form of the firm’s details is empty before anyone has filled it in', () => {
    expect(toFirmDetails(enteredFirm(null))).toMatchObject({ name: '', vat_number: null, closed_on: [] });
  });
});

describe('the form of the firm’s regulation', () => {
  const regulation: Regulation = {
    legal_form: 'company',
    legal_name: 'Alder & Finch Limited',
    company_number: '01234567',
    registered_in: 'england_and_wales',
    registered_office: ['1 Market Place', 'Frome'],
    member_names: [],
    members_list_at: null,
    regulator: 'sra',
    complaints_name: 'Rhian Morgan',
    complaints_email: 'complaints@firm.test',
    data_protection_name: null,
    data_protection_email: null,
    terms: [{ name: 'Terms of business', url: 'https://www.firm.test/terms' }],
    insurer_name: null,
    insurer_contact: null,
    insurer_cover: null,
    ombudsman_text: [],
    badge_url: null,
    has_none_of: [],
    bank_details_adopted_on: null,
  };

  test('the form of the firm’s regulation sends what it was filled with', () => {
    expect(toRegulation(enteredRegulation(regulation))).toEqual(regulation);
  });

  test('the form of the firm’s regulation sends what the firm does not have, unless it was entered meanwhile', () => {
    const stored = { ...regulation, has_none_of: ['vat_number', 'terms', 'badge_url'] } as const;
    expect(
      toRegulation(enteredRegulation({ ...stored, has_none_of: [...stored.has_none_of] })).has_none_of,
    ).toEqual(['vat_number', 'badge_url']);
  });

  test('the form of the firm’s regulation finds the address in the code of a badge', () => {
    const code =
      '<!-- Start --><div style="max-width:275px"><iframe frameborder="0" src="https://cdn.yoshki.com/iframe/55845r.html" style="border:0px"></iframe></div>';
    const entered = { ...enteredRegulation(regulation), badge_url: code };
    expect(toRegulation(entered).badge_url).toBe('https://cdn.yoshki.com/iframe/55845r.html');
  });
});
