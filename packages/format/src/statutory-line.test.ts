import { describe, expect, test } from 'vitest';
import { type Regulator, regulatorTexts } from './regulators.ts';
import { type LegalForm, requirementsOf, type StatutoryFacts, statutoryLine } from './statutory-line.ts';

const forms: LegalForm[] = ['company', 'llp', 'partnership', 'sole_practitioner'];
const regulators = Object.keys(regulatorTexts) as Regulator[];
const combinations = forms.flatMap((form) => regulators.map((regulator) => [form, regulator] as const));

const facts: StatutoryFacts = {
  trading_name: 'Alder & Finch Conveyancing',
  legal_form: 'company',
  legal_name: 'Alder & Finch Limited',
  company_number: '01234567',
  registered_in: 'england_and_wales',
  registered_office: ['2 Tollgate House', 'Bristol BS1 6TH'],
  member_names: ['Rhian Morgan', 'Ann Lee', 'Tom Finch'],
  members_list_at: null,
  regulator: 'sra',
  regulator_number: '123456',
};

describe('the statutory line', () => {
  test('names a company as the regulations ask', () => {
    expect(statutoryLine(facts)).toBe(
      'Alder & Finch Conveyancing is a trading name of Alder & Finch Limited, a company registered in England and Wales (01234567). Registered office: 2 Tollgate House, Bristol BS1 6TH. Authorised and regulated by the Solicitors Regulation Authority (SRA number 123456).',
    );
  });

  test('says where the members of a limited liability partnership are listed', () => {
    const place = 'our registered office';
    expect(statutoryLine({ ...facts, legal_form: 'llp', members_list_at: place, regulator: 'clc' })).toBe(
      'Alder & Finch Conveyancing is a trading name of Alder & Finch Limited, a limited liability partnership registered in England and Wales (01234567). A list of members can be seen at our registered office. Registered office: 2 Tollgate House, Bristol BS1 6TH. Regulated by the Council for Licensed Conveyancers (practice number 123456).',
    );
  });

  test('names the partners of a partnership and its address for documents', () => {
    expect(
      statutoryLine({ ...facts, legal_form: 'partnership', legal_name: 'Alder & Finch Conveyancing' }),
    ).toBe(
      'Alder & Finch Conveyancing is a partnership. Partners: Rhian Morgan, Ann Lee and Tom Finch. Address for documents: 2 Tollgate House, Bristol BS1 6TH. Authorised and regulated by the Solicitors Regulation Authority (SRA number 123456).',
    );
  });

  test('names a sole practitioner', () => {
    expect(statutoryLine({ ...facts, legal_form: 'sole_practitioner', legal_name: 'Rhian Morgan' })).toMatch(
      /^Alder & Finch Conveyancing is a trading name of Rhian Morgan, a sole practitioner\. Address for documents: /,
    );
  });

  test.each(combinations)(
    'of a %s regulated by the %s has each fact once and ends with its regulator',
    (form, regulator) => {
      const line = statutoryLine({ ...facts, legal_form: form, regulator });
      const { registers, members } = requirementsOf(form);
      expect(line.split('01234567').length - 1).toBe(registers ? 1 : 0);
      expect(line.split('Rhian Morgan').length - 1).toBe(members ? 1 : 0);
      expect(line.split('Bristol').length - 1).toBe(1);
      expect(line.endsWith(regulatorTexts[regulator].statement('123456'))).toBe(true);
      expect(line).not.toMatch(/null|undefined|\.\.|\s{2}|\n/);
    },
  );

  test.each(combinations)(
    'of a %s regulated by the %s says nothing false without one of its facts',
    (form, regulator) => {
      const full = { ...facts, legal_form: form, regulator };
      const sentences = statutoryLine(full).split(/(?<=\.) (?=[A-Z])/);
      for (const field of Object.keys(facts) as (keyof StatutoryFacts)[]) {
        if (field === 'trading_name') continue;
        const without = { ...full, [field]: Array.isArray(facts[field]) ? [] : null };
        const line = statutoryLine(without);
        expect(line).not.toMatch(/null|undefined|\(\)|: \./);
        for (const part of line.split(/(?<=\.) (?=[A-Z])/).filter((text) => text !== ''))
          expect(sentences).toContain(part);
      }
    },
  );

  test('does not call the firm a trading name of itself', () => {
    for (const legal_form of forms)
      expect(statutoryLine({ ...facts, legal_form, legal_name: facts.trading_name })).not.toContain(
        'trading name',
      );
  });
});
