import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take more than 15 seconds, longest first. If one of them started last, it would run alone at the end.
 * `two-servers` and `new-build` mostly wait, so others that need the processor run before the second of them starts.
 */
const longFiles = [
  'journeys/two-servers',
  'history/payments-history',
  'journeys/pay-with-stripe',
  'accessibility/screens',
  'telemetry/report-errors',
  'desk/work-by-keyboard',
  'delivery/new-build',
  'journeys/real-time',
  'journeys/pay-by-bank-with-stripe',
  'telemetry/record-sessions',
  'journeys/pay-for-a-search',
  'faults/pay-in-a-bad-moment',
  'journeys/pay-by-bank',
  'journeys/maintenance',
  'journeys/persisted-state',
  'delivery/prerender',
  'journeys/every-route',
  'journeys/make-another-payment',
  'faults/card-numbers-are-kept-nowhere',
  'start/start-up',
  'crash/payments-survive-sigkill',
  'desk/conveyancers-morning',
  'crash/killed-at-each-step',
  'desk/sign-in',
  'journeys/failures',
  'journeys/client-account',
];

/** Orders the tests: the longest files first, then the other browser tests, then the unit tests in Vitest’s order. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const long = sorted.filter((file) => positionOf(file) >= 0).sort((a, b) => positionOf(a) - positionOf(b));
    const others = sorted.filter((file) => positionOf(file) < 0);
    return [...long, ...others.filter(isBrowserTest), ...others.filter((file) => !isBrowserTest(file))];
  }
}

const isBrowserTest = (file: TestSpecification) => file.project.name === 'e2e';

const positionOf = (file: TestSpecification) =>
  longFiles.findIndex((name) => file.moduleId.endsWith(`/e2e/${name}.test.ts`));
