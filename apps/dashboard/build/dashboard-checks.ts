import type { CompileChecksOptions } from '../../../packages/browser/build/compile-checks.ts';

/** The modules with the checks of the client API's answers. */
export const dashboardChecks: CompileChecksOptions = {
  folder: 'src/api/checks',
  modules: ['cookie-calls', 'entity-checks', 'case-checks', 'answer-checks', 'payment-checks'],
};
