import { type OtherPaymentCategory, otherPaymentCategories } from '@keyturn/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createCommand } from '../../platform/commands/create-command.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { type LinkRequest, type LinkTarget, sendLink } from './send-link.ts';

export type LinkCommand = { name: 'link' } & LinkRequest;

interface LinkOptions {
  search?: string;
  bill?: string;
  case?: string;
  category?: OtherPaymentCategory;
  amount?: number;
  client?: string;
  key?: string;
}

/** Defines `keyturn payments link`. */
export const linkCommand = (run: (parsed: LinkCommand) => Promise<void>): Command =>
  createCommand('link')
    .description(
      'Email clients a request to pay for a search, a bill or other money, which they find on their home page after signing in.',
    )
    .option('--search <reference>', 'the search to pay for')
    .option('--bill <reference>', 'the bill to pay')
    .option('--case <reference>', 'the case, for other money')
    .addOption(
      new Option('--category <category>', 'what other money is for').choices(
        otherPaymentCategories.filter((category) => category !== 'legal_fees'),
      ),
    )
    .option('--amount <pounds>', 'the amount, such as 500.00', parsePounds)
    .option('--client <reference>', 'the client to email; otherwise each client of the case')
    .option('--key <key>', 'distinguishes a reminder from a repeated command')
    .addHelpText(
      'after',
      '\nA repeated command emails no one twice. Exit codes: 0 each client has been emailed, now or earlier; 1 not possible',
    )
    .action((options: LinkOptions, command: Command) => {
      const target = readTarget(options);
      if (!target)
        return command.error('error: name one of --search, --bill, or --case with --category and --amount');
      const { client: clientReference = null, key = null } = options;
      return run({ name: 'link', target, clientReference, key });
    });

function readTarget({ search, bill, case: caseReference, category, amount }: LinkOptions): LinkTarget | null {
  const isOther = caseReference !== undefined || category !== undefined || amount !== undefined;
  if ([search !== undefined, bill !== undefined, isOther].filter(Boolean).length !== 1) return null;
  if (search !== undefined) return { kind: 'search', reference: search };
  if (bill !== undefined) return { kind: 'bill', reference: bill };
  if (caseReference === undefined || category === undefined || amount === undefined) return null;
  return { kind: 'other', caseReference, category, amount };
}

function parsePounds(text: string): number {
  const pence = /^\d{1,6}(\.\d{2})?$/.test(text) ? Math.round(Number(text) * 100) : 0;
  if (pence === 0) throw new InvalidArgumentError('It must be an amount in pounds, such as 500.00.');
  return pence;
}

/**
 * Runs `keyturn payments link`.
 * @returns the exit code: 0 each client has been emailed, now or earlier; 1 one has had too many links
 * @throws DomainError `link_not_possible`
 */
export async function runLinkCommand(
  dependencies: Pick<PaymentDependencies, 'database' | 'clock' | 'purposes'>,
  request: LinkRequest,
  print: (line: string) => void,
): Promise<0 | 1> {
  const links = await sendLink(dependencies, request);
  for (const { name, email, outcome } of links) print(`${name} <${email}>: ${outcomes[outcome]}`);
  return links.some(({ outcome }) => outcome === 'too many') ? 1 : 0;
}

const outcomes = {
  sent: 'the email is on its way.',
  'sent before': 'has already been emailed this request. Use --key for a reminder.',
  'too many': 'has been emailed three requests in the last 24 hours. Call them, or try again tomorrow.',
} as const;
