// @ts-check
import { runProjects } from './run-tests.mjs';
import { install, requireNode } from './set-up.mjs';
import { otherProjects } from './test-lists.mjs';

/*
 * All tests that `npm test` leaves out: the other browser tests, crashes, faults, backups, S3, Redis, several servers and
 * any input. Together, the two are what a change must pass before it lands. Builds what has changed first.
 */

requireNode();
install();
process.exit(await runProjects(otherProjects));
