import { withBackup } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { ProviderUnavailable } from '../ports/provider.ts';
import { runRecovery } from './recover-command.ts';

const world = withBackup();
const { copyOf, start, stop, pay, paidPayments, command } = world;
const request = { since: null, dryRun: false, leave: [] };

/** Creates a restored database that lacks a payment, and its recovery. */
async function loseAPayment() {
  const before = await copyOf(world.yesterday);
  const server = await start(before);
  await pay(server, world.cases.search);
  const [, lost] = await paidPayments(before);
  await stop(server);
  const restored = await copyOf(world.yesterday);
  const { dependencies } = await command(restored, { dryRun: true });
  const lines: string[] = [];
  return {
    restored,
    lost,
    lines,
    recover: (waits: number[]) => runRecovery(dependencies, request, (line) => lines.push(line), waits),
  };
}

test('fault 89: a recovery retries calls that the provider does not answer, and prints that it does', async () => {
  const { restored, lines, recover } = await loseAPayment();
  // Each call is tried three times by the SDK.
  world.simulator.faults.push(...Array.from({ length: 6 }, () => 503 as const));
  expect(await recover([1, 2, 3])).toBe(0);
  expect(lines.slice(0, 2)).toEqual([
    'stripe did not answer. Trying again in 0.001 s.',
    'stripe did not answer. Trying again in 0.002 s.',
  ]);
  expect(lines.at(-1)).toBe('Payments are accepted.');
  expect(await paidPayments(restored)).toHaveLength(2);
});

test('fault 89: two concurrent recoveries restore a payment once, with its receipt number', async () => {
  const { restored, lost, recover } = await loseAPayment();
  expect(await Promise.all([recover([]), recover([])])).toEqual([0, 0]);
  const paid = await paidPayments(restored);
  expect(paid).toHaveLength(2);
  expect(paid[1]).toEqual(lost);
});

test('fault 89: a recovery ends while the provider stays unavailable, and continues when it is run again', async () => {
  const { restored, lines, recover } = await loseAPayment();
  const faults = Array.from({ length: 60 }, () => 503 as const);
  world.simulator.faults.push(...faults);
  await expect(recover([1, 2])).rejects.toThrow(ProviderUnavailable);
  expect(lines).toHaveLength(2);
  world.simulator.faults.splice(0);
  expect(await recover([])).toBe(0);
  expect(await paidPayments(restored)).toHaveLength(2);
});
