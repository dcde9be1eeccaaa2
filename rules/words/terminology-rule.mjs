// @ts-check
import { terminology } from './terminology.mjs';

/**
 * A textlint rule: reports each use of a word that the project does not use, with the wording to use instead.
 *
 * @type {import('@textlint/kernel').TextlintKernelRule['rule']}
 */
export const terminologyRule = ({ Syntax, RuleError, report, locator }) => ({
  [Syntax.Str](node) {
    for (const { find, write } of terminology) {
      for (const match of node.value.matchAll(find)) {
        const range = /** @type {const} */ ([match.index, match.index + match[0].length]);
        report(node, new RuleError(`"${match[0]}": write ${write}`, { padding: locator.range(range) }));
      }
    }
  },
});
