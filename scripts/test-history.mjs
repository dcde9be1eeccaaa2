// @ts-check
import { join } from 'node:path';
import { runInGroup } from './run-tests.mjs';
import { requireNode, root } from './set-up.mjs';

/*
 * The payment histories: random clients pay, the firm refunds, and banks dispute, while a nemesis kills servers,
 * restores backups, and loses webhooks. A checker then looks for violations (docs/payment-histories.md).
 *
 *   npm run test:history                                     10,000 operations of 20 clients with a new seed
 *   npm run test:history -- --seed 7 --operations 400        repeats the plan of a seed
 *   npm run test:history -- --seed 1 --seed 2 --seed 3       one run for each seed
 *   npm run test:history -- --replay FILE                    checks a saved history, then repeats its run
 *   npm run test:history -- --check FILE                     only checks a saved history
 */

requireNode();
process.exit(await runInGroup(() => [join(root, 'scripts/run-histories.mjs'), ...process.argv.slice(2)]));
