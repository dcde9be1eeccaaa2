import { describe, expect, test } from 'vitest';
import { type CaseQueries, caseFreshness, type QueryFreshness } from './case-freshness.ts';

const updatedAt = '2026-03-01T09:00:00Z';
const newestAt = '2026-03-04T10:30:00Z';

const fetched: QueryFreshness = { dataUpdatedAt: 1_000, error: null, errorUpdateCount: 0 };
const loading: QueryFreshness = { dataUpdatedAt: 0, error: null, errorUpdateCount: 0 };
const failed: QueryFreshness = { dataUpdatedAt: 0, error: new Error('away'), errorUpdateCount: 1 };
const retrying: QueryFreshness = { dataUpdatedAt: 0, error: null, errorUpdateCount: 1 };
const failedLater: QueryFreshness = { dataUpdatedAt: 1_000, error: new Error('away'), errorUpdateCount: 1 };
const entries = { data: [{ occurred_at: newestAt }] };

const freshness = (changed: Partial<CaseQueries>) =>
  caseFreshness({
    client: fetched,
    caseSearches: fetched,
    milestones: fetched,
    newest: { ...fetched, data: entries },
    updatedAt,
    onlineSince: 0,
    ...changed,
  });

describe('freshness of the home page', () => {
  test('the home page shows the newest history entry as the last change once everything is loaded', () => {
    expect(freshness({})).toEqual({ isOutOfDate: false, lastChange: newestAt });
  });

  test('the freshness of the home page is unknown until the newest history entry is loaded', () => {
    expect(freshness({ newest: { ...loading, data: undefined } })).toBeUndefined();
  });

  test('the freshness of the home page is unknown while data from the last visit is being refreshed', () => {
    expect(freshness({ client: loading })).toBeUndefined();
  });

  test('the home page shows the update of the case as the last change when the history is empty', () => {
    expect(freshness({ newest: { ...fetched, data: { data: [] } } })).toEqual({
      isOutOfDate: false,
      lastChange: updatedAt,
    });
  });

  test('the home page shows no last change while the history is in maintenance', () => {
    expect(freshness({ newest: null })).toEqual({ isOutOfDate: false, lastChange: null });
    expect(freshness({ newest: null, milestones: failedLater })).toEqual({
      isOutOfDate: true,
      lastChange: null,
    });
  });

  test.each([
    ['failed to load', { ...failed, data: undefined }],
    ['failed to load and is being retried', { ...retrying, data: undefined }],
    ['failed to refresh', { ...failedLater, data: entries }],
  ])('the home page shows no last change when the history %s', (_case, newest) => {
    expect(freshness({ newest })).toEqual({ isOutOfDate: true, lastChange: null });
  });

  test.each([
    ['failed to load', failed],
    ['is being retried', retrying],
    ['failed to refresh', failedLater],
  ])('the home page is out of date when a query %s', (_case, query) => {
    expect(freshness({ caseSearches: query })).toEqual({ isOutOfDate: true, lastChange: newestAt });
  });

  test('the home page is out of date while offline, and until every query has been refreshed', () => {
    expect(freshness({ onlineSince: Number.POSITIVE_INFINITY })).toEqual({
      isOutOfDate: true,
      lastChange: null,
    });
    expect(freshness({ onlineSince: 1_001 })).toEqual({ isOutOfDate: true, lastChange: null });
    const again = { ...fetched, dataUpdatedAt: 1_002 };
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
