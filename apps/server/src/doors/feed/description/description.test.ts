import { type FeedCallKey, feedCalls } from '@keyturn/contract/feed';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { withFeedServer } from '../../../testing/feed-caller.ts';
import { feedExamples } from './examples.ts';

const { server, call } = withFeedServer();

test('each documented example gets its documented answer, which matches its schema', async () => {
  const description = (await server.app.inject('/api/feed/openapi.json')).json();
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  ajv.addSchema({ $id: 'feed', components: description.components });
  for (const key of Object.keys(feedCalls) as FeedCallKey[]) {
    const [method = '', callPath = ''] = key.split(' ');
    const { responses } = description.paths[callPath][method.toLowerCase()];
    for (const { summary, path, body, contentType, status, answer } of feedExamples[key]) {
      const payload = contentType === 'application/pdf' ? Buffer.from(String(body)) : body;
      const sent = await call(method as 'GET', path.replace('/feed', ''), { payload });
      expect({ summary, status: sent.status, body: sent.body }).toEqual({ summary, status, body: answer });
      const { schema } = responses[status].content['application/json'];
      const resolved = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"feed#/'));
      expect(ajv.validate(resolved, sent.body), `${summary}: ${ajv.errorsText()}`).toBe(true);
    }
  }
});

test('the API’s page names every operation, and uses no inline scripts, styles or other hosts', async () => {
  const page = await server.app.inject('/docs/api');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-security-policy']).toContain("style-src 'self'");
  expect(page.body).not.toMatch(/<script|<style|style=|\son\w+=|https?:\/\//i);
  for (const { id, summary } of Object.values(feedCalls)) {
    expect(page.body).toContain(`<section id="${id}"`);
    expect(page.body).toContain(summary);
  }
  const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(page.body) ?? [];
  expect((await server.app.inject(style)).headers['content-type']).toBe('text/css; charset=utf-8');
});
