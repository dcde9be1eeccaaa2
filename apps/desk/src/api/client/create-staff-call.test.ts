import { describe, expect, test, vi } from 'vitest';
import { createStaffCall, type StaffCallOptions } from './create-staff-call.ts';
import { codeOf, errorText, fieldErrorsOf } from './staff-error.ts';

const answer = (status: number, body?: object) =>
  new Response(body ? JSON.stringify(body) : null, {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  });
const member = {
  id: 'm1',
  email: 'dana@firm.test',
  name: 'Dana Price',
  role: 'admin',
  state: 'active',
  created_at: '2026-11-01T09:00:00Z',
};
const unconfirmed = () => answer(403, { code: 'identity_not_confirmed', message: 'Please confirm.' });

/** Creates a call with these successive answers. */
function callWith(answers: Response[], overrides: Partial<StaffCallOptions> = {}) {
  const fetch = vi.fn<typeof globalThis.fetch>(
    async () => answers.shift() ?? Promise.reject(new TypeError()),
  );
  const options = {
    csrfToken: () => 'csrf',
    onSignedOut: vi.fn(),
    onExtended: vi.fn(),
    onFactorRequired: vi.fn(),
    confirmIdentity: vi.fn(async () => true),
    isNoBankAccount: vi.fn(async () => true),
    isOnline: () => true,
    fetch,
    ...overrides,
  };
  const sent = (index: number) => ({
    url: fetch.mock.calls[index]?.[0],
    ...(fetch.mock.calls[index]?.[1] as { method: string; headers: Record<string, string>; body?: string }),
  });
  return { call: createStaffCall(options), options, fetch, sent };
}

describe('a call of the staff API', () => {
  test('a staff call fills in path and body, sends the CSRF token with changes only, and returns the data', async () => {
    const { call, sent } = callWith([answer(200, { data: member }), answer(200, { data: [] })]);
    const input = { params: { id: 'a/b' }, body: { role: 'admin' } } as const;
    expect(await call('PUT /staff/members/{id}/role', input)).toEqual(member);
    expect(sent(0)).toMatchObject({
      url: '/api/staff/members/a%2Fb/role',
      method: 'PUT',
      headers: { 'X-CSRF-Token': 'csrf', 'Content-Type': 'application/json' },
      body: '{"role":"admin"}',
    });
    await call('GET /staff/members');
    expect(sent(1).headers).toEqual({ Accept: 'application/json', 'X-Activity': 'background' });
  });

  test('a staff call rejects an answer that does not match the contract', async () => {
    const { call } = callWith([answer(200, { data: [{ ...member, role: 'owner' }] })]);
    const failure = await call('GET /staff/members').catch((error: unknown) => error);
    expect(codeOf(failure)).toBe('unreadable');
  });

  test('a staff call marks reads as background, unless the page says otherwise', async () => {
    const { call, sent } = callWith(Array.from({ length: 2 }, () => answer(200, { data: [] })));
    await call('GET /staff/sessions');
    expect(sent(0).headers['X-Activity']).toBe('background');
    await call('GET /staff/sessions', { background: false });
    expect(sent(1).headers['X-Activity']).toBeUndefined();
  });

  test('a staff call asks the member to confirm who they are, and is then repeated once', async () => {
    const { call, fetch, options } = callWith([unconfirmed(), answer(204)]);
    await call('DELETE /staff/members/{id}/sessions', { params: { id: 'm1' } });
    expect(options.confirmIdentity).toHaveBeenCalledTimes(1);
    expect(fetch).toHaveBeenCalledTimes(2);
    const again = callWith([unconfirmed(), unconfirmed(), answer(204)]);
    const failure = await again.call('POST /staff/recovery-codes').catch((error: unknown) => error);
    expect(codeOf(failure)).toBe('identity_not_confirmed');
    expect(again.fetch).toHaveBeenCalledTimes(2);
  });

  test('a staff call changes nothing if the member does not confirm who they are', async () => {
    const { call, fetch } = callWith([unconfirmed()], { confirmIdentity: async () => false });
    const failure = await call('POST /staff/recovery-codes').catch((error: unknown) => error);
    expect(errorText(failure)).toBe('Nothing was changed, because you didn’t confirm that it’s you.');
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('a staff call asks whether a number is a bank account, and is repeated with the answer “no” only', async () => {
    const doubtful = () =>
      answer(422, { code: 'possible_bank_account', message: 'x', errors: { text: ['y'] } });
    const input = { params: { id: 'm1' } };
    const { call, sent } = callWith([doubtful(), unconfirmed(), answer(204)]);
    await call('DELETE /staff/members/{id}/sessions', input);
    expect([0, 1, 2].map((index) => sent(index).headers['x-bank-account'])).toEqual([undefined, 'no', 'no']);

    const refused = callWith([doubtful()], { isNoBankAccount: async () => false });
    const failure = await refused
      .call('DELETE /staff/members/{id}/sessions', input)
      .catch((error: unknown) => error);
    expect(errorText(failure)).toMatch(/^Nothing was sent/);
    expect(fieldErrorsOf(failure)).toEqual({ text: 'y' });
    expect(refused.fetch).toHaveBeenCalledTimes(1);
  });

  test('a staff call reports a session that has ended, but not a wrong password', async () => {
    const ended = callWith([answer(401, { code: 'unauthenticated', message: 'x' })]);
    await ended.call('GET /staff/members').catch(() => undefined);
    expect(ended.options.onSignedOut).toHaveBeenCalledTimes(1);
    const wrong = callWith([answer(401, { code: 'invalid_credentials', message: 'x' })]);
    await wrong
      .call('POST /staff/login', { body: { email: 'a@b.test', password: 'x' } })
      .catch(() => undefined);
    expect(wrong.options.onSignedOut).not.toHaveBeenCalled();
  });

  test('a staff call reports a session that may only add a second factor', async () => {
    const { call, options } = callWith([answer(403, { code: 'factor_required', message: 'x' })]);
    await call('GET /staff/members').catch(() => undefined);
    expect(options.onFactorRequired).toHaveBeenCalledTimes(1);
  });

  test('a staff call returns the messages about fields by their path', async () => {
    const errors = { password: ['Too short.', 'Too common.'] };
    const { call } = callWith([answer(422, { code: 'invalid_input', message: 'x', errors })]);
    const failure = await call('PUT /staff/password', { body: { password: 'x' } }).catch(
      (error: unknown) => error,
    );
    expect(fieldErrorsOf(failure)).toEqual({ password: 'Too short. Too common.' });
    expect(fieldErrorsOf(new Error('x'))).toEqual({});
  });
});
