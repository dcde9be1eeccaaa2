import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take a minute or more, longest first. If one of them started last, it would run alone at the end.
 */
const longFiles = [
  'journeys/two-servers',
  'journeys/pay-with-stripe',
  'history/payments-history',
  'accessibility/screens',
  'delivery/new-build',
  'crash/killed-at-each-step',
  'faults/card-numbers-are-kept-nowhere',
  'start/start-up',
  'faults/pay-in-a-bad-moment',
  'journeys/pay-for-a-search',
  'journeys/persisted-state',
  'journeys/every-route',
  'journeys/maintenance',
  'journeys/make-another-payment',
  'telemetry/record-sessions',
  'journeys/failures',
  'journeys/real-time',
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
