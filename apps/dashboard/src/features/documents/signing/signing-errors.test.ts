import { ApiError, localFailure } from '@keyturn/browser/calls/api-error.ts';
import { type ErrorCode, errorCatalogue } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { signingErrorsFrom, validateSignature } from './signing-errors.ts';

const serverError = (code: ErrorCode, errors: Record<string, string[]> = {}) =>
  new ApiError({ status: 409, code, message: `the words of ${code}`, errors });

test('requires a name and the consent before a signature is sent', () => {
  expect(Object.keys(validateSignature({ name: ' a ', consent: false }))).toEqual(['name', 'consent']);
  expect(validateSignature({ name: 'Li', consent: true })).toEqual({});
});

test('rejects a card number in the name of a signature', () => {
  expect(validateSignature({ name: 'Amelia Okafor 4242 4242 4242 4242', consent: true })).toEqual({
    name: 'Do not type your card number here.',
  });
});

test('accepts only the name that the firm holds for the client', () => {
  const signer = { first_name: 'Amelia', last_name: 'Okafor' };
  expect(validateSignature({ name: 'amelia okafor', consent: true }, signer)).toEqual({});
  expect(validateSignature({ name: 'Tom Okafor', consent: true }, signer)).toEqual({
    name: expect.stringContaining('as we have it: Amelia Okafor'),
  });
});

test('shows a rejected signature’s validation errors at their fields', () => {
  const errors = signingErrorsFrom(serverError('invalid_input', { 'drawing.strokes.0': ['x'], name: ['y'] }));
  expect(Object.keys(errors)).toEqual(['name', 'drawing']);
});

test('shows the server’s message at the name field when it rejects the name of a signature', () => {
  expect(signingErrorsFrom(serverError('name_mismatch'))).toEqual({ name: 'the words of name_mismatch' });
});

test.each(['document_changed', 'already_signed', 'signature_not_requested'] as const)(
  'offers to reload the document after the error %s',
  (code) => {
    expect(signingErrorsFrom(serverError(code)).form?.isOutOfDate).toBe(true);
  },
);

test('says that the document is not signed when the client is offline or the error is unexpected', () => {
  expect(signingErrorsFrom(localFailure('offline')).form).toMatchObject({
    title: 'You haven’t signed yet',
    text: expect.stringContaining('offline'),
  });
  expect(signingErrorsFrom(new TypeError('oops')).form?.text).not.toContain('oops');
});

test('says that the firm has to send another file when an intact document cannot be signed', () => {
  const { message } = errorCatalogue.document_not_signable;
  const error = new ApiError({ status: 409, code: 'document_not_signable', message, errors: {} });
  expect(signingErrorsFrom(error).form).toEqual({
    title: 'You can’t sign this file on the screen',
    text: expect.stringMatching(/^You can’t sign this file, .*call us, so that we can send you another one/),
    isOutOfDate: false,
  });
});

test('says that a damaged document is not signed', () => {
  expect(signingErrorsFrom(serverError('document_damaged')).form).toMatchObject({
    title: 'This document is damaged',
    text: expect.stringMatching(/^You haven’t signed it/),
  });
});
