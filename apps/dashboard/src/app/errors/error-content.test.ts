import { ApiError, localFailure } from '@keyturn/browser/calls/api-error.ts';
import { describe, expect, test } from 'vitest';
import { MaintenanceError } from '../guards/maintenance.ts';
import { contentForError, errorContent, offline } from './error-content.ts';

describe('error page content', () => {
  test('an error page defaults to 503 Service Unavailable', () => {
    expect(errorContent({})).toEqual({
      statusCode: 503,
      statusTitle: 'Service Unavailable',
      message: 'We are currently in maintenance, please try again later.',
      until: null,
    });
  });

  test("shows the firm's maintenance message and expected end", () => {
    const until = '2026-11-24T14:00:00.000Z';
    expect(
      errorContent(contentForError(new MaintenanceError('general', { message: 'Back soon.', until }))),
    ).toEqual({
      statusCode: 503,
      statusTitle: 'Service Unavailable',
      message: 'Back soon.',
      until,
    });
    expect(
      errorContent(contentForError(new MaintenanceError('general', { message: null, until: null }))).message,
    ).toBe('We are currently in maintenance, please try again later.');
  });

  test.each([
    [404, 'The page you are looking for does not exist.'],
    [500, 'An unexpected error has occurred.'],
    [503, 'We are currently in maintenance, please try again later.'],
  ])('an error page has a default message for status %i', (statusCode, message) => {
    expect(errorContent({ statusCode }).message).toBe(message);
  });

  test('an error page shows the status title up to its first question mark', () => {
    expect(errorContent({ statusTitle: 'Not Found?path=/x' }).statusTitle).toBe('Not Found');
    expect(errorContent({ statusTitle: 'Gone? Really? Yes' }).statusTitle).toBe('Gone');
  });

  test('an error page shows the default message for a record that the API did not find', () => {
    const error = new ApiError({ status: 404, code: 'not_found', message: 'We could not find that.' });
    expect(errorContent(contentForError(error))).toMatchObject({
      statusCode: 404,
      statusTitle: 'Not Found',
      message: 'The page you are looking for does not exist.',
    });
  });

  test('an error page shows the message of a failed API call, but not of an unexpected error', () => {
    expect(errorContent(contentForError(localFailure('unreachable')))).toMatchObject({
      statusCode: null,
      message: expect.stringMatching(/can’t be reached/),
    });
    expect(errorContent(contentForError(new Error('x is undefined')))).toMatchObject({
      statusCode: 500,
      statusTitle: 'Internal Server Error',
      message: 'An unexpected error has occurred.',
    });
  });

  test.each([
    'Failed to fetch dynamically imported module: https://x/assets/a.js',
    'error loading dynamically imported module: https://x/assets/a.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /assets/a.css',
  ])('an error page says that a page could not be loaded after "%s"', (message) => {
    expect(contentForError(new TypeError(message)).message).toMatch(/couldn’t load this page/);
  });

  test('an error page calls being offline offline, and blames no service', () => {
    expect(contentForError(localFailure('offline'))).toMatchObject({
      statusCode: null,
      statusTitle: 'You’re offline',
    });
    expect(errorContent(offline).statusTitle).toBe('You’re offline');
  });

  test.each([
    ['a screen whose file is missing', new TypeError('Failed to fetch dynamically imported module: /a.js')],
    ['a server that cannot be reached', localFailure('unreachable')],
    ['an answer that takes too long', localFailure('timed_out')],
    ['an answer that cannot be read', localFailure('unreadable')],
  ])('the error page of %s shows no 503, because no server said so', (_what, error) => {
    const { statusCode, statusTitle } = errorContent(contentForError(error));
    expect(statusCode).toBeNull();
    expect(statusTitle).toBe('This page didn’t load');
  });
});
