import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take a minute or more, longest first. One of them started last would run alone at the end. */
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

/** Orders browser tests so that the longest files start first; other tests keep Vitest’s order. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const others = sorted.filter((file) => positionOf(file) < 0);
    const long = sorted.filter((file) => positionOf(file) >= 0).sort((a, b) => positionOf(a) - positionOf(b));
    const firstBrowserTest = others.findIndex((file) => file.project.name === 'e2e');
    others.splice(firstBrowserTest < 0 ? others.length : firstBrowserTest, 0, ...long);
    return others;
  }
}

const positionOf = (file: TestSpecification) =>
  longFiles.findIndex((name) => file.moduleId.endsWith(`/e2e/${name}.test.ts`));
