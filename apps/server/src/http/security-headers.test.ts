import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { securityHeaders } from './security-headers.ts';

test('sends the policies that the decision about the data grid names', async () => {
  const decision = new URL('../../../../docs/decisions/0008-data-grid-styles-from-files.md', import.meta.url);
  const named = [
    ...readFileSync(decision, 'utf8').matchAll(
      /`((?:[a-z]+-src|trusted-types|require-trusted-types-for) [^`]+)`/g,
    ),
  ].map(([, policy]) => policy);
  const app = fastify();
  await app.register(securityHeaders, { paymentProvider: 'sandbox', connect: [] });
  const { headers } = await app.inject('/');
  await app.close();
  const sent = String(headers['content-security-policy']).split(';');
  expect(named).toHaveLength(4);
  expect(sent).toEqual(expect.arrayContaining(named));
});
