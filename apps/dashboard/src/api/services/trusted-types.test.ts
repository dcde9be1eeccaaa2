import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { checkedScriptUrl, stripeScript } from './trusted-types.ts';

const origin = 'https://clients.example.test';

test('the script policy allows scripts of this build', () => {
  expect(checkedScriptUrl('/assets/pdf.worker-abc.mjs', origin)).toBe(`${origin}/assets/pdf.worker-abc.mjs`);
  expect(checkedScriptUrl(`${origin}/assets/a.js`, origin)).toBe(`${origin}/assets/a.js`);
});

test('the script policy allows Stripe.js in the version of its package', () => {
  expect(checkedScriptUrl(stripeScript, origin)).toBe(stripeScript);
  const entrance = createRequire(import.meta.url).resolve('@stripe/stripe-js/pure');
  const loader = readFileSync(join(dirname(entrance), '../dist/pure.js'), 'utf8');
  const [, train] = /RELEASE_TRAIN = '(\w+)'/.exec(loader) ?? [];
  expect(stripeScript).toBe(`https://js.stripe.com/${train}/stripe.js`);
});

test.each([
  'https://js.stripe.com/endive/stripe.js?a',
  'https://js.stripe.com/endive/other.js',
  'https://js.stripe.com.elsewhere.test/endive/stripe.js',
  'https://elsewhere.test/assets/a.js',
  '//elsewhere.test/assets/a.js',
  '/api/documents/1/content',
  '/assets/../api/documents/a.js',
  '/assets/%2e%2e/api/a.js',
  '/assets/deeper/a.js',
  '/assets/picture.svg',
  'blob:https://clients.example.test/5d3c',
  'data:text/javascript,alert(1)',
  'javascript:alert(1)',
])('the script policy rejects %s', (url) => {
  expect(() => checkedScriptUrl(url, origin)).toThrow(TypeError);
});
