import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { World } from './start-system.ts';

/**
 * Rolls the secret key at Stripe. Half of the time the old key is revoked immediately, as after a leak, and payments
 * fail until the operator has changed the setting. Otherwise the old key works until all servers have the new one.
 */
export async function rollKey({ simulator, servers, firm }: World, draw: number): Promise<void> {
  const former = [...simulator.secretKeys];
  const key = `rk_test_${randomBytes(12).toString('hex')}`;
  const endFormer = () => {
    for (const old of former) simulator.secretKeys.delete(old);
  };
  simulator.secretKeys.add(key);
  if (draw < 0.5) {
    endFormer();
    await pause(draw * 2_000);
  }
  for (const process of [...servers, firm]) {
    process.setEnv({ KEYTURN_STRIPE_SECRET_KEY: key });
    await process.kill();
    if ('start' in process) await process.start();
  }
  endFormer();
}
