import { expect, test } from 'vitest';
import { createReportTransport } from './report-transport.ts';

type Transport = ReturnType<typeof createReportTransport>;

const event = [{}, [[{ type: 'event' }, { message: 'm' }]]] as unknown as Parameters<Transport['send']>[0];

function transportWith(answer: () => Promise<Response>) {
  const requests: RequestInit[] = [];
  const transport = createReportTransport(
    { url: 'http://errors.example.com/api/1/envelope/', recordDroppedEvent: () => {} },
    (_address, request) => {
      requests.push(request ?? {});
      return answer();
    },
  );
  return { transport, requests };
}

test('sends each report without credentials, redirects or a referrer', async () => {
  const { transport, requests } = transportWith(async () => new Response('{}'));
  await transport.send(event);
  await transport.send(event);
  expect(requests).toHaveLength(2);
  expect(requests[0]).toMatchObject({
    credentials: 'omit',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
  });
  expect(requests[0]?.signal).toBeInstanceOf(AbortSignal);
});

test.each([
  ['answers 500', async () => new Response('no', { status: 500 })],
  ['is unreachable', () => Promise.reject(new TypeError('Failed to fetch'))],
])('fault 71: backs off silently from a collector that %s', async (_case, answer) => {
  const { transport, requests } = transportWith(answer);
  for (let index = 0; index < 5; index += 1) await transport.send(event);
  expect(requests).toHaveLength(1);
});
