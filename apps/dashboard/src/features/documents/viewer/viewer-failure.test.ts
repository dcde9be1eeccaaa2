import { expect, test } from 'vitest';
import { ApiError, localFailure } from '../../../api/client/api-error.ts';
import { BrokenImage, failureWords } from './viewer-failure.ts';

test('a damaged document is not offered to be saved, and one that only cannot be shown is', () => {
  const damaged = new ApiError({ status: 409, code: 'document_damaged', message: 'damaged' });
  expect(failureWords(damaged)).toMatchObject({ title: 'This document is damaged', canDownload: false });
  const locked = Object.assign(new Error('password'), { reason: 'password' });
  expect(failureWords(locked)).toMatchObject({
    title: 'This document is locked with a password',
    canDownload: true,
  });
  expect(failureWords(new BrokenImage()).title).toBe('This document cannot be shown here');
});

test('offline says so, and a viewer that did not arrive is not called a broken document', () => {
  expect(failureWords(localFailure('offline')).text).toContain('You are offline');
  const missing = new TypeError('Failed to fetch dynamically imported module');
  expect(failureWords(missing)).toMatchObject({ title: 'The viewer could not be loaded', canDownload: true });
});
