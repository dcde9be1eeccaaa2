import { expect, test } from 'vitest';
import { startOtlpCollector } from '../../testing/otlp-collector.ts';
import { startTracing } from './start-tracing.ts';

/** Starts tracing to an address, and collects why spans could not be sent. */
function start(endpoint: string) {
  const reasons: string[] = [];
  const tracing = startTracing({
    url: `${endpoint}/v1/traces`,
    headers: {},
    resource: { 'service.name': 'keyturn' },
    sampler: { name: 'always_on', ratio: 1 },
    onUnreachable: (reason) => reasons.push(reason),
  });
  const record = (count: number) => {
    for (let times = 0; times < count; times += 1)
      tracing.tracer.run({ name: 'work', kind: 'internal' }, () => times);
  };
  return { ...tracing, reasons, record };
}

test('drops spans that do not fit in the queue, and reports an unreachable collector once', async () => {
  const gone = await startOtlpCollector();
  await gone.close();
  const { record, reasons, stop } = start(gone.endpoint);
  record(20_000);
  await stop();
  await expect.poll(() => reasons.length, { timeout: 60_000 }).toBe(1);
});

test('sends no more spans than the queue holds, and each of them once', async () => {
  const collector = await startOtlpCollector();
  const { record, reasons, flush, stop } = start(collector.endpoint);
  record(10_000);
  await flush();
  await stop();
  await expect.poll(() => collector.spans.length, { timeout: 60_000 }).toBe(4_096 + 512);
  expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(4_096 + 512);
  expect([reasons, collector.faults]).toEqual([[], []]);
  await collector.close();
});

test('a span of work that fails has the kind of the error, and not its message', async () => {
  const collector = await startOtlpCollector();
  const { tracer, stop } = start(collector.endpoint);
  const fail = () => Promise.reject(new TypeError('canary'));
  await expect(tracer.run({ name: 'promised', kind: 'client' }, fail)).rejects.toThrow('canary');
  const failAtOnce = () => {
    throw new RangeError('canary');
  };
  expect(() => tracer.run({ name: 'at once', kind: 'client' }, failAtOnce)).toThrow('canary');
  await stop();
  await expect.poll(() => collector.spans.length, { timeout: 60_000 }).toBe(2);
  for (const { status } of collector.spans) expect(status.code).toBe(2);
  expect(collector.bodies.join()).toMatch(/TypeError.*RangeError/);
  expect(collector.bodies.join()).not.toContain('canary');
  await collector.close();
});
