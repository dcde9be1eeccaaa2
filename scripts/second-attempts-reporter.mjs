// @ts-check

/** Lists the tests that passed only at the second attempt, which vitest.config.ts allows in continuous integration. */
export default class SecondAttemptsReporter {
  /** @type {string[]} */
  #tests = [];

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    if (!test.diagnostic()?.flaky) return;
    const [failure] = test.result().errors ?? [];
    this.#tests.push(
      `${test.module.relativeModuleId} > ${test.fullName}\n    ${failure?.stack ?? failure?.message}`,
    );
  }

  onTestRunEnd() {
    if (this.#tests.length === 0) return;
    console.log(`\nPassed only at the second attempt, which needs a fix:\n  ${this.#tests.join('\n  ')}`);
  }
}
