import { ApiError } from '@keyturn/browser/calls/api-error.ts';
import { describe, expect, test } from 'vitest';
import { isReportable } from './is-reportable.ts';

const thrown = (value: string) => ({ exception: { values: [{ value }] } });

describe('isReportable', () => {
  test('fault 71: error reporting drops any error with status 401', () => {
    const ended = new ApiError({ status: 401, code: 'unauthenticated', message: 'x' });
    expect(isReportable(thrown('x'), ended)).toBe(false);
    expect(isReportable({ message: 'x' }, { status: 401 })).toBe(false);
  });

  test.each([
    '* AG Grid Enterprise License *',
    '* License Key Not Found *',
    'AG Grid: error #272\nYour license is not valid for AG Grid 36',
    'This licence has expired. AG Charts and AG Grid are locked.',
  ])('fault 71: error reporting drops the licence notice "%s"', (text) => {
    expect(isReportable(thrown(text), new Error(text))).toBe(false);
    expect(isReportable({ message: text }, text)).toBe(false);
    expect(isReportable({ logentry: { message: text } }, undefined)).toBe(false);
  });

  test.each([
    ['a type error', new Error('undefined is not a function')],
    ['a real error of the grid', new Error('AG Grid: error #12 rowData is no list')],
    ['an error with another status', Object.assign(new Error('a'), { status: 500 })],
    ['a message about another kind of licence', 'Your driving licence has expired'],
    ['undefined', undefined],
    ['null', null],
  ])('error reporting includes %s', (_case, error) => {
    expect(isReportable(thrown(error instanceof Error ? error.message : String(error)), error)).toBe(true);
  });
});
