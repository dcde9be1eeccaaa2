import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take more than 25 seconds, longest first. If one of them started last, it would run alone at the end.
 */
const longFiles = [
  'journeys/two-servers',
  'delivery/new-build',
  'journeys/pay-with-stripe',
  'journeys/real-time',
  'history/payments-history',
  'journeys/maintenance',
  'journeys/every-route',
  'telemetry/record-sessions',
  'journeys/pay-by-bank',
  'journeys/pay-for-a-search',
  'faults/pay-in-a-bad-moment',
  'telemetry/report-errors',
  'accessibility/screens',
  'crash/payments-survive-sigkill',
  'journeys/make-another-payment',
  'journeys/persisted-state',
  'delivery/prerender',
  'journeys/failures',
  'desk/conveyancers-morning',
  'desk/work-by-keyboard',
  'desk/sign-in',
  'start/start-up',
  'journeys/pay-by-bank-with-stripe',
  'crash/batch-survives-sigkill',
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
