import { type CallKey, calls } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { createPreviewCall, previewedCaseFrom } from './preview-call.ts';

function createRecordedCall(body: unknown) {
  const sent: { url: string; request: RequestInit }[] = [];
  const call = createPreviewCall({ caseId: 'case', clientId: 'amelia' }, async (url, request) => {
    sent.push({ url: String(url), request: request ?? {} });
    return Response.json(body);
  });
  return { call, sent };
}

describe('the calls of the client’s screens in the preview', () => {
  test('the calls in the preview read what the client sees of the case, with the session of the staff member', async () => {
    const page = { data: [], meta: { total: 0, next_cursor: null } };
    const { call, sent } = createRecordedCall(page);
    expect(await call('GET /case-history', { query: { limit: 5 } })).toEqual(page);
    expect(sent.map(({ url }) => url)).toEqual(['/api/staff/cases/case/as/amelia/case-history?limit=5']);
    expect(sent[0]?.request).toMatchObject({ method: 'GET', credentials: 'same-origin' });
    expect(sent[0]?.request.headers).not.toHaveProperty('Authorization');
  });

  test('the calls in the preview are rejected without a request, unless they only read what the preview shows', async () => {
    const { call, sent } = createRecordedCall({ data: [] });
    const shown = [
      'GET /client',
      'GET /milestones',
      'GET /case-searches',
      'GET /documents',
      'GET /case-history',
      'GET /bills',
      'GET /payments',
    ];
    const others = Object.keys(calls).filter((key) => !shown.includes(key)) as CallKey[];
    expect(others).toContain('POST /documents/{id}/read');
    for (const key of others)
      await expect(call(key, { params: { id: 'x' }, body: {} } as never)).rejects.toMatchObject({
        code: 'not_permitted',
      });
    expect(sent).toEqual([]);
  });
});

test.each(['', '#', '#case', '#case/', '#/amelia', '#case/amelia/more', '#case/../x'])(
  'the address with the fragment %j names no client’s view',
  (hash) => {
    expect(previewedCaseFrom(hash)).toBeNull();
  },
);

test('the fragment of the address names the case and the client', () => {
  expect(previewedCaseFrom('#3f1c-a/9b2d-c')).toEqual({ caseId: '3f1c-a', clientId: '9b2d-c' });
});
