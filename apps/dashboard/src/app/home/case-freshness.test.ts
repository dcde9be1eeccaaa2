import { describe, expect, test } from 'vitest';
import { type CaseQueries, caseFreshness, type QueryFreshness } from './case-freshness.ts';

const updatedAt = '2026-03-01T09:00:00Z';
const newestAt = '2026-03-04T10:30:00Z';

const read: QueryFreshness = { dataUpdatedAt: 1_000, error: null, errorUpdateCount: 0 };
const onItsWay: QueryFreshness = { dataUpdatedAt: 0, error: null, errorUpdateCount: 0 };
const failed: QueryFreshness = { dataUpdatedAt: 0, error: new Error('away'), errorUpdateCount: 1 };
const triedAgain: QueryFreshness = { dataUpdatedAt: 0, error: null, errorUpdateCount: 1 };
const failedLater: QueryFreshness = { dataUpdatedAt: 1_000, error: new Error('away'), errorUpdateCount: 1 };
const entries = { data: [{ occurred_at: newestAt }] };

const freshness = (changed: Partial<CaseQueries>) =>
  caseFreshness({
    client: read,
    caseSearches: read,
    milestones: read,
    newest: { ...read, data: entries },
    updatedAt,
    onlineSince: 0,
    ...changed,
  });

describe('how fresh the start page says it is', () => {
  test('is with the newest entry of the history once everything has been read', () => {
    expect(freshness({})).toEqual({ isOutOfDate: false, lastChange: newestAt });
  });

  test('is not said before the newest entry is known', () => {
    expect(freshness({ newest: { ...onItsWay, data: undefined } })).toBeUndefined();
  });

  test('is not said of what was kept from the last visit and is being read', () => {
    expect(freshness({ client: onItsWay })).toBeUndefined();
  });

  test('goes by the case where its history is known to be empty', () => {
    expect(freshness({ newest: { ...read, data: { data: [] } } })).toEqual({
      isOutOfDate: false,
      lastChange: updatedAt,
    });
  });

  test('names no date where the history is in maintenance, and says nothing against the rest', () => {
    expect(freshness({ newest: null })).toEqual({ isOutOfDate: false, lastChange: null });
    expect(freshness({ newest: null, milestones: failedLater })).toEqual({
      isOutOfDate: true,
      lastChange: null,
    });
  });

  test.each([
    ['never', { ...failed, data: undefined }],
    ['never, and is being read again', { ...triedAgain, data: undefined }],
    ['not again', { ...failedLater, data: entries }],
  ])('names no date where the history could be read %s', (_, newest) => {
    expect(freshness({ newest })).toEqual({ isOutOfDate: true, lastChange: null });
  });

  test.each([
    ['failed', failed],
    ['is tried again', triedAgain],
    ['failed later', failedLater],
  ])('is doubted where a part %s', (_, part) => {
    expect(freshness({ caseSearches: part })).toEqual({ isOutOfDate: true, lastChange: newestAt });
  });

  test('is doubted while offline, and then until each part has been read again', () => {
    expect(freshness({ onlineSince: Number.POSITIVE_INFINITY })).toEqual({
      isOutOfDate: true,
      lastChange: null,
    });
    expect(freshness({ onlineSince: 1_001 })).toEqual({ isOutOfDate: true, lastChange: null });
    const again = { ...read, dataUpdatedAt: 1_002 };
    expect(freshness({ onlineSince: 1_001, client: again, caseSearches: again })?.isOutOfDate).toBe(true);
    expect(
      freshness({
        onlineSince: 1_001,
        client: again,
        caseSearches: again,
        milestones: again,
        newest: { ...again, data: entries },
      }),
    ).toEqual({ isOutOfDate: false, lastChange: newestAt });
  });
});
