// @ts-check
import { parseArgs } from 'node:util';
import { runTests } from './run-tests.mjs';
import { install, requireNode } from './set-up.mjs';

/*
 * Sends bad input to every route, to sockets and in files, and a tenth of it while a client reads their case. Builds what
 * has changed first.
 *
 *   npm run test:inputs                                  100,000 inputs with a new seed
 *   npm run test:inputs -- --seed 7 --inputs 20000       repeats the inputs of a seed
 *   npm run test:inputs -- --seed 7 -t 'POST /api/login' repeats those of one test
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    inputs: { type: 'string', default: '100000' },
    test: { type: 'string', short: 't' },
  },
});
requireNode();
install();
process.env.KEYTURN_TEST_LENGTH = 'long';
process.env.KEYTURN_TEST_SEED = values.seed;
process.env.KEYTURN_TEST_INPUTS = values.inputs;
const chosen = values.test === undefined ? [] : ['-t', values.test];
process.exit(await runTests(['any-input', ...chosen], () => undefined));
