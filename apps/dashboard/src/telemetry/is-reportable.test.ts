import { describe, expect, test } from 'vitest';
import { ApiError } from '../api/client/api-error.ts';
import { isReportable } from './is-reportable.ts';

const thrown = (value: string) => ({ exception: { values: [{ value }] } });

describe('an event', () => {
  test('of an exception with status 401 is dropped, whatever else it says', () => {
    const ended = new ApiError({ status: 401, code: 'unauthenticated', message: 'x' });
    expect(isReportable(thrown('x'), ended)).toBe(false);
    expect(isReportable({ message: 'x' }, { status: 401 })).toBe(false);
  });

  test.each([
    '* AG Grid Enterprise License *',
    '* License Key Not Found *',
    'AG Grid: error #272\nYour license is not valid for AG Grid 36',
    'This licence has expired. AG Charts and AG Grid are locked.',
  ])('that says "%s" is dropped', (text) => {
    expect(isReportable(thrown(text), new Error(text))).toBe(false);
    expect(isReportable({ message: text }, text)).toBe(false);
    expect(isReportable({ logentry: { message: text } }, undefined)).toBe(false);
  });

  test.each([
    ['a failure', new Error('undefined is not a function')],
    ['one of the grid itself', new Error('AG Grid: error #12 rowData is no list')],
    ['one of another status', Object.assign(new Error('a'), { status: 500 })],
    ['a text with a licence of somebody else', 'Your driving licence has expired'],
    ['nothing', undefined],
    ['null', null],
  ])('of %s is reported', (_what, error) => {
    expect(isReportable(thrown(error instanceof Error ? error.message : String(error)), error)).toBe(true);
  });
});
