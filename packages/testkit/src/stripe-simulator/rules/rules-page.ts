import { stripeFilters } from './filters.ts';
import { everyCall, lists, type StripeRule } from './stripe-rule.ts';
import { stripeRules } from './stripe-rules.ts';

type Word = Pick<StripeRule, 'calls' | 'parameter' | 'rule' | 'source'>;

const table = (words: readonly Word[], more: (word: Word) => string) =>
  words.map((word) => {
    const calls =
      word.calls === lists
        ? 'every list'
        : word.calls.map((call) => (call === everyCall ? call : `\`${call}\``)).join('<br>');
    const [judged, url = ''] = word.source.startsWith('judged from ')
      ? ['judged from ', word.source.slice('judged from '.length)]
      : ['', word.source];
    const page = url.replace(/^https:\/\//, '');
    return `| ${calls} | ${word.parameter} | ${word.rule.replaceAll('<', '&lt;')} |${more(word)} ${judged}[${page}](${url}) |`;
  });

const answerOf = ({ error }: StripeRule) => {
  const { status = 400, code } = error;
  return ` ${status}${code ? ` \`${code}\`` : ''} |`;
};

/** Writes docs/stripe-rules.md from the rules. */
export const rulesPage = (): string =>
  `${[
    '# Stripe’s rules',
    '',
    'For those who change what Keyturn sends to Stripe: what the [simulator of the tests](test-payments.md#the-stripe-simulator)',
    'refuses, and where Stripe says it. The page is made from the rules in',
    '`packages/testkit/src/stripe-simulator/rules`. Each rule has requests that break it, and a test sends them.',
    '“Judged from” marks a rule that no page of Stripe states in words that could be read.',
    '',
    '## What Stripe refuses',
    '',
    '| Call | Parameter | Rule | Answer | Source |',
    '|---|---|---|---|---|',
    ...table(stripeRules, (word) => answerOf(word as StripeRule)),
    '',
    '## What Stripe fulfils otherwise, without an error',
    '',
    'The answer shows it: `payment_method_types` has what is left, and `status` what became of a refund.',
    '',
    '| Call | Parameter | Rule | Source |',
    '|---|---|---|---|',
    ...table(stripeFilters, () => ''),
  ].join('\n')}\n`;
