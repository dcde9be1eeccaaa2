import type { ErrorCode } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { ApiError, localFailure } from '../../../api/client/api-error.ts';
import { missingFaults, signFaultsOf } from './signing-errors.ts';

const refused = (code: ErrorCode, errors: Record<string, string[]> = {}) =>
  new ApiError({ status: 409, code, message: `the words of ${code}`, errors });

describe('before a signature is sent', () => {
  test('the name and the consent are asked for', () => {
    expect(Object.keys(missingFaults({ name: ' a ', consent: false }))).toEqual(['name', 'consent']);
    expect(missingFaults({ name: 'Li', consent: true })).toEqual({});
  });

  test('no card number is taken for a name', () => {
    expect(missingFaults({ name: 'Amelia Okafor 4242 4242 4242 4242', consent: true })).toEqual({
      name: 'Do not type your card number here.',
    });
  });

  test('the name is the own one, as the firm has it', () => {
    const signer = { first_name: 'Amelia', last_name: 'Okafor' };
    expect(missingFaults({ name: 'amelia okafor', consent: true }, signer)).toEqual({});
    expect(missingFaults({ name: 'Tom Okafor', consent: true }, signer)).toEqual({
      name: expect.stringContaining('as we have it: Amelia Okafor'),
    });
  });
});

describe('a refused signature', () => {
  test('stands at the field that is meant', () => {
    const faults = signFaultsOf(refused('invalid_input', { 'drawing.strokes.0': ['x'], name: ['y'] }));
    expect(Object.keys(faults)).toEqual(['name', 'drawing']);
  });

  test('for another name than the own stands at the name, in the words of the server', () => {
    expect(signFaultsOf(refused('not_your_name'))).toEqual({ name: 'the words of not_your_name' });
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
