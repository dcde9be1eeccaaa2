import type { ErrorCode } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { ApiError, localFailure } from '../../api/api-error.ts';
import { missingFaults, signFaultsOf } from './sign-faults.ts';

const refused = (code: ErrorCode, errors: Record<string, string[]> = {}) =>
  new ApiError({ status: 409, code, message: `the words of ${code}`, errors });

describe('before a signature is sent', () => {
  test('the name and the consent are asked for', () => {
    expect(Object.keys(missingFaults({ name: ' a ', consent: false }))).toEqual(['name', 'consent']);
    expect(missingFaults({ name: 'Li', consent: true })).toEqual({});
  });

  test.each([
    ['Amelia Okafor', true],
    ['  amelia   OKAFOR ', true],
    ['Amelia Jane Okafor', true],
    ['Mickey Mouse', false],
    ['Amelia', false],
    ['Tom Okafor', false],
  ])('%s may sign for Amelia Okafor: %s', (name, may) => {
    const signer = { first_name: 'Amelia', last_name: 'Okafor' };
    expect(missingFaults({ name, consent: true }, signer)).toEqual(
      may ? {} : { name: expect.stringContaining('as we have it: Amelia Okafor') },
    );
  });

  test.each([
    ["Zoë O'Brien-Łukasiewicz", { first_name: 'Zoë Anne', last_name: 'O’Brien-Łukasiewicz' }],
    ['李 小龍', { first_name: '小龍', last_name: '李' }],
    ['محمد بن سلمان', { first_name: 'محمد', last_name: 'بن سلمان' }],
  ])('a name is known however it is written: %s', (name, signer) => {
    expect(missingFaults({ name, consent: true }, signer)).toEqual({});
  });
});

describe('a refused signature', () => {
  test('stands at the field that is meant', () => {
    const faults = signFaultsOf(refused('invalid_input', { 'drawing.strokes.0': ['x'], name: ['y'] }));
    expect(Object.keys(faults)).toEqual(['name', 'drawing']);
  });

  test.each(['document_changed', 'already_signed', 'not_to_sign'] as const)(
    '%s leads to the document as it is now',
    (code) => {
      expect(signFaultsOf(refused(code)).form?.isOutOfDate).toBe(true);
    },
  );

  test('says that nothing is signed when the line was down, or anything else went wrong', () => {
    expect(signFaultsOf(localFailure('offline')).form).toMatchObject({
      title: 'You have not signed yet',
      text: expect.stringContaining('offline'),
    });
    expect(signFaultsOf(new TypeError('oops')).form?.text).not.toContain('oops');
  });
});
