import { answerChecksOf, answerFilesOf } from '@keyturn/browser/checks/check-of.ts';
import { calls } from '@keyturn/contract';

/*
 * The checks of all answers. Loaded together with the first request, so that the first view does not wait for them.
 * The build compiles this module.
 */

export const answerChecks = answerChecksOf(calls);

export const answerFiles = answerFilesOf(calls);
