import { ApiError, localFailure } from '@keyturn/browser/calls/api-error.ts';
import { expect, test } from 'vitest';
import { describeFailure, UnreadableImage } from './viewer-failure.ts';

test('fault 63: offers the download of a document it cannot show, but not of a damaged one', () => {
  const damaged = new ApiError({ status: 409, code: 'document_damaged', message: 'damaged' });
  expect(describeFailure(damaged)).toMatchObject({ title: 'This document is damaged', canDownload: false });
  const locked = Object.assign(new Error('password'), { reason: 'password' });
  expect(describeFailure(locked)).toMatchObject({
    title: 'This document is protected by a password',
    canDownload: true,
  });
  expect(describeFailure(new UnreadableImage()).title).toBe('We can’t show this document here');
});

test('tells a client who is offline, and does not blame the document when the viewer fails to load', () => {
  expect(describeFailure(localFailure('offline')).text).toContain('You’re offline');
  const missing = new TypeError('Failed to fetch dynamically imported module');
  expect(describeFailure(missing)).toMatchObject({
    title: 'The document viewer didn’t load',
    canDownload: true,
  });
});
