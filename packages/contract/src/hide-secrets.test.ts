import { describe, expect, test } from 'vitest';
import { hideSecrets, hideSecretsWithin } from './hide-secrets.ts';

describe('what must not be written down', () => {
  test.each([
    ['an access token', `kt_${'aB3-_'.repeat(8)}xyz`, '[hidden]'],
    ['a header', 'Bearer abc.def.ghi-jkl', 'Bearer [hidden]'],
    ['a secret key of Stripe', 'sk_live_51Habc and rk_test_9', 'sk_live_[hidden] and rk_test_[hidden]'],
    ['a webhook secret', 'whsec_abc+/=', 'whsec_[hidden]'],
    ['a client secret', 'pi_3Nabc_secret_Xyz123', 'pi_3Nabc_secret_[hidden]'],
    [
      'the address a bank sends back to',
      'https://a.example/payment?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_x&y=1',
      'https://a.example/payment?payment_intent=pi_1&payment_intent_client_secret=[hidden]&y=1',
    ],
    ['the link of a mail', '/reset-password/abcdefghij-_klm?x', '/reset-password/[hidden]?x'],
    ['an email', 'no client amelia.hart+x@example.test here', 'no client [email] here'],
    ['an email in an address', '/login?email=amelia%40example.test', '/login?email=[email]'],
    ['a card number', 'card 4539 1488 0343 6467!', 'card [card number]!'],
    ['a password in JSON', '{"email":"a","password":"turn-the-key"}', '{"email":"a","password":"[hidden]"}'],
    ['a password in JSON in a text', '{\\"password\\":\\"turn\\"}', '{\\"password\\":\\"[hidden]\\"}'],
    ['a password with a quotation mark', '{"password":"a\\"b\\\\","n":1}', '{"password":"[hidden]","n":1}'],
    [
      'the same in JSON in a text',
      JSON.stringify('{"password":"a\\"b\\\\","n":1}'),
      JSON.stringify('{"password":"[hidden]","n":1}'),
    ],
  ])('hides %s', (_what, text, hidden) => {
    expect(hideSecrets(text)).toBe(hidden);
  });

  test.each([
    'Page not found: /documents/9c1185a5-c5e9-4b0b-8e61-424242424242',
    'GET /case-searches 503 in 1234.5 ms at 2026-11-21T11:52:53.123Z',
    'Amelia Hart, 12 High Street, £1,234.56',
  ])('leaves "%s" as it is', (text) => {
    expect(hideSecrets(text)).toBe(text);
  });

  test('hides by name too, at any depth, and keeps everything else', () => {
    expect(
      hideSecretsWithin({
        headers: { Authorization: 'x', accept: 'y' },
        list: [{ token: 'z', n: 1 }],
        'url.path.parameter.token': 'z',
        'token.kind': 'link',
        none: null,
      }),
    ).toEqual({
      headers: { Authorization: '[hidden]', accept: 'y' },
      list: [{ token: '[hidden]', n: 1 }],
      'url.path.parameter.token': '[hidden]',
      'token.kind': 'link',
      none: null,
    });
  });

  test('takes no longer than the text is long', () => {
    const started = performance.now();
    for (const part of ['a', 'a.', '1', '1 ', 'a@', '?token', '_secret_', '"password":"']) {
      hideSecrets(part.repeat(50_000));
    }
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});
