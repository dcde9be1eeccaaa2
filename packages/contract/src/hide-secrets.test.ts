import { describe, expect, test } from 'vitest';
import { hideSecrets, hideSecretsWithin, isHarmlessLine } from './hide-secrets.ts';

describe('hiding secrets', () => {
  test.each([
    ['an access token', `kt_${'aB3-_'.repeat(8)}xyz`, '[hidden]'],
    ['an Authorization header', 'Bearer abc.def.ghi-jkl', 'Bearer [hidden]'],
    ['a secret key of Stripe', 'sk_live_51Habc and rk_test_9', 'sk_live_[hidden] and rk_test_[hidden]'],
    ['a webhook secret', 'whsec_abc+/=', 'whsec_[hidden]'],
    ['a client secret', 'pi_3Nabc_secret_Xyz123', 'pi_3Nabc_secret_[hidden]'],
    [
      'a return URL from a bank',
      'https://a.example/payment?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_x&y=1',
      'https://a.example/payment?payment_intent=pi_1&payment_intent_client_secret=[hidden]&y=1',
    ],
    ['a password reset link', '/reset-password/abcdefghij-_klm?x', '/reset-password/[hidden]?x'],
    ['a password reset link with a fragment', '/reset-password#abcdefghij-_klm', '/reset-password#[hidden]'],
    ['the link to a new email address', '/confirm-email#abcdefghij-_klm', '/confirm-email#[hidden]'],
    ['a link that stops a change', '/review-email-change#abcdefghij-_klm', '/review-email-change#[hidden]'],
    ['the present password in JSON', '{"current_password":"turn"}', '{"current_password":"[hidden]"}'],
    ['an email address', 'no client amelia.hart+x@example.test here', 'no client [email] here'],
    ['an email address in a URL', '/login?email=amelia%40example.test', '/login?email=[email]'],
    ['a card number', 'card 4539 1488 0343 6467!', 'card [card number]!'],
    ['a card number in full-width digits', 'card ４５３９１４８８０３４３６４６７!', 'card [card number]!'],
    ['a password in JSON', '{"email":"a","password":"turn-the-key"}', '{"email":"a","password":"[hidden]"}'],
    ['a password in JSON in a string', '{\\"password\\":\\"turn\\"}', '{\\"password\\":\\"[hidden]\\"}'],
    ['a password with a quotation mark', '{"password":"a\\"b\\\\","n":1}', '{"password":"[hidden]","n":1}'],
    [
      'a password with a quotation mark in JSON in a string',
      JSON.stringify('{"password":"a\\"b\\\\","n":1}'),
      JSON.stringify('{"password":"[hidden]","n":1}'),
    ],
  ])('hides %s', (_what, text, hidden) => {
    expect(hideSecrets(text)).toBe(hidden);
  });

  test.each([
    'kt_abcdefghijklmnopqrstuvwx',
    '4539148803436467',
    'a@b.uk',
    'sk_live_51Habc',
    '/reset-password/abcdef',
  ])('hides a secret that is the whole text: %s', (text) => {
    expect(hideSecrets(text)).not.toContain(text);
  });

  test.each([
    'Page not found: /documents/9c1185a5-c5e9-4b0b-8e61-424242424242',
    'GET /case-searches 503 in 1234.5 ms at 2026-11-21T11:52:53.123Z',
    'Amelia Hart, 12 High Street, £1,234.56',
  ])('hides nothing in "%s"', (text) => {
    expect(hideSecrets(text)).toBe(text);
  });

  test('hides fields with the name of a secret at any depth, and keeps all other fields', () => {
    expect(
      hideSecretsWithin({
        headers: { Authorization: 'x', 'X-CSRF-TOKEN': 'x', cookie: 'x', accept: 'y' },
        list: [{ token: 'z', n: 1 }],
        'url.path.parameter.token': 'z',
        'token.kind': 'link',
        none: null,
      }),
    ).toEqual({
      headers: { Authorization: '[hidden]', 'X-CSRF-TOKEN': '[hidden]', cookie: '[hidden]', accept: 'y' },
      list: [{ token: '[hidden]', n: 1 }],
      'url.path.parameter.token': '[hidden]',
      'token.kind': 'link',
      none: null,
    });
  });

  test('hides secrets in linear time', () => {
    const started = performance.now();
    for (const part of ['a', 'a.', '1', '1 ', 'a@', '?token', '_secret_', '"password":"']) {
      hideSecrets(part.repeat(50_000));
    }
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});

describe('a log line without anything to hide', () => {
  const id = '9c1185a5-c5e9-4b0b-8e61-424242424242';
  const line = (changed: object = {}) =>
    `${JSON.stringify({
      level: 30,
      time: '2026-11-21T11:52:53.123Z',
      pid: 12,
      hostname: 'keyturn',
      reqId: id,
      event: 'request',
      method: 'GET',
      route: '/api/payments/:id/receipt',
      path: `/api/payments/${id}/receipt`,
      status: 200,
      ms: 3,
      client: id,
      msg: 'request',
      ...changed,
    })}\n`;

  test('the log line of a request is recognised as having nothing to hide', () => {
    expect(isHarmlessLine(line())).toBe(true);
    expect(isHarmlessLine(line({ client: undefined, outcome: 'ok' }))).toBe(true);
  });

  test.each([
    { path: '/api/payments/4539148803436467' },
    { path: '/api/payments/kt_abcdefghijklmnopqrstuvwx' },
    { path: '/api/bills?token=abc' },
    { path: '/api/reset-password/abcdef' },
    { path: '/reset-password/abcdef' },
    { client: 'a@b.uk' },
    { client: 'a\nb' },
    { token: 'abc' },
    { password: 'abc' },
    { err: { message: 'abc' } },
    { msg: 'not found: sk_live_51Habc' },
  ])('a log line with %j is not recognised as having nothing to hide', (changed) => {
    expect(isHarmlessLine(line(changed))).toBe(false);
  });

  test('a log line with nothing to hide is exactly one line of JSON', () => {
    expect(isHarmlessLine(line() + line({ path: 'a@b.uk' }))).toBe(false);
    expect(isHarmlessLine(`x${line()}`)).toBe(false);
  });
});
