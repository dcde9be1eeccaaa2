import { hasHiddenCharacter } from '@keyturn/contract';
import { PayoutDays } from '@keyturn/contract/feed';
import type { PayoutFactName } from '@keyturn/contract/staff';
import { faultOfRecord } from '../../case-file/records/rejected-record.ts';
import { storePayoutDay } from '../../payments/desk/record-payout.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { createProblemFinder } from '../../platform/requests/find-problems.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { invalidKey } from './feed-caller.ts';
import { stringify } from './feed-faults.ts';
import type { FeedHandlers, FeedRouteDependencies, RouteContext } from './route-context.ts';
import type { Sender } from './send-records.ts';

const findProblems = createProblemFinder({});

/** Creates the handler of the call with which a firm’s ledger records payouts. */
export const payoutHandlers = (
  dependencies: FeedRouteDependencies,
  { send }: RouteContext,
): FeedHandlers<'PUT /feed/payouts/{payout}'> => ({
  'PUT /feed/payouts/{payout}': async (request, reply) => {
    const { payout } = request.params as { payout: string };
    if (hasHiddenCharacter(payout) || !payout.isWellFormed()) throw new DomainError('not_found');
    const content = stringify(request.body);
    const days = parseDays(request.body);
    return send(request, reply, content, async (sender) => {
      const result = await recordDays(dependencies, sender, { payout, days });
      return { status: 200, body: { data: { payout, result } } };
    });
  },
});

/** @throws DomainError `invalid_input` */
function parseDays(body: unknown): PayoutDays {
  const [problem, ...others] = findProblems(PayoutDays, body);
  if (problem) throw faultOfRecord({ ...problem, others });
  return body as PayoutDays;
}

/** @throws DomainError `not_found`, `invalid_input`, `feed_not_possible`, `unauthenticated` */
function recordDays(
  { database, clock, isKeyUsable }: FeedRouteDependencies,
  { caller: { id, name }, address }: Sender,
  { payout, days }: { payout: string; days: PayoutDays },
): Promise<'updated' | 'unchanged'> {
  const by = { name, staffId: null, audited: { actor: { kind: 'feed_key', id, name }, address } } as const;
  return runTransaction(database, async (transaction) => {
    if (!(await isKeyUsable(transaction, id))) throw invalidKey();
    let result: 'updated' | 'unchanged' = 'unchanged';
    for (const [field, fact] of Object.entries(factOf)) {
      const on = days[field as keyof PayoutDays];
      if (on === undefined) continue;
      const isStored = await storePayoutDay(transaction, payout, { fact, on, field, now: clock() }, by);
      if (isStored) result = 'updated';
    }
    return result;
  }).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== 'edit_not_possible') throw error;
    throw new DomainError('feed_not_possible', { message: error.message });
  });
}

/** In the order in which they happen. */
const factOf: Record<keyof PayoutDays, PayoutFactName> = {
  matched_on: 'matched',
  transferred_on: 'transferred',
};
