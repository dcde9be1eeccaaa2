import { describe, expect, test } from 'vitest';
import { localFailure } from '../../api/client/api-error.ts';
import { MaintenanceError } from '../guards/maintenance.ts';
import { contentForError, errorContent } from './error-content.ts';

describe('the error page', () => {
  test('says 503 Service Unavailable when it is told nothing', () => {
    expect(errorContent({})).toEqual({
      statusCode: 503,
      statusTitle: 'Service Unavailable',
      message: 'We are currently in maintenance, please try again later.',
      until: null,
    });
  });

  test('says what the firm says of its maintenance, and until when', () => {
    const until = '2026-11-24T14:00:00.000Z';
    expect(errorContent(contentForError(new MaintenanceError({ message: 'Back soon.', until })))).toEqual({
      statusCode: 503,
      statusTitle: 'Service Unavailable',
      message: 'Back soon.',
      until,
    });
    expect(errorContent(contentForError(new MaintenanceError({ message: null, until: null }))).message).toBe(
      'We are currently in maintenance, please try again later.',
    );
  });

  test.each([
    [404, 'The page you are looking for does not exist.'],
    [500, 'An unexpected error has occurred.'],
    [503, 'We are currently in maintenance, please try again later.'],
  ])('has its words for %i', (statusCode, message) => {
    expect(errorContent({ statusCode }).message).toBe(message);
  });

  test('shows of the status title what stands before a question mark', () => {
    expect(errorContent({ statusTitle: 'Not Found?path=/x' }).statusTitle).toBe('Not Found');
  });

  test('tells of a failed call in its own words, and of a surprise in none', () => {
    expect(errorContent(contentForError(localFailure('offline')))).toMatchObject({
      statusCode: 503,
      message: expect.stringMatching(/offline/),
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
  ])('says that a page could not be loaded: %s', (message) => {
    expect(contentForError(new TypeError(message)).message).toMatch(/could not be loaded/);
  });
});
