import {
  buildCase,
  createPaymentWorld,
  createTestClock,
  parseCommand,
  sandboxCard,
  startTestPayment,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { approveAsMember, refundAsMember } from '../../testing/refund-as-member.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import { describeDiscrepancy } from '../records/discrepancies.ts';
import { checkPayments } from './check-payments.ts';
import { type PaymentsCommand, paymentsCommand, runPaymentsCommand } from './payments-command.ts';

const testDatabase = withFreshTestDatabase();

/** A paid payment of £180.00 with refunds that take ten seconds at the provider, and a command line. */
async function createPaidPayment() {
  const clock = createTestClock();
  const alone = { refundApprovalPence: 1_000 };
  const { dependencies, intents } = createPaymentWorld(testDatabase, { clock, dependencies: alone });
  const { clientId, caseSearchId } = await buildCase(testDatabase.database);
  const { paymentId, intentId } = await startTestPayment(dependencies, { clientId, caseSearchId });
  await intents.confirm(intentId, sandboxCard('4000000000007726'));
  const sync = () => syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
  await sync();
  const run = async (by: typeof dependencies, ...args: string[]) => {
    const command = parseCommand<PaymentsCommand>((done) => paymentsCommand(clock, done), args);
    return runPaymentsCommand(by, command, () => {}, 0);
  };
  /** A refund that staff make at the provider, without its webhook. */
  const refundAtProvider = () =>
    intents.refund(intentId, { amount: 600, reason: 'duplicate', idempotencyKey: 'at the provider' });
  const settle = async () => {
    clock.advance(11_000);
    await intents.settleDue();
  };
  const findRefundId = async (): Promise<string> =>
    (await testDatabase.pool.query('select id from refunds where payment_id = $1', [paymentId])).rows[0].id;
  const check = async () =>
    (
      await checkPayments(dependencies, {
        since: new Date(clock().getTime() - 86_400_000),
        recheckDelay: 0,
      })
    ).discrepancies;
  return {
    dependencies,
    intents,
    clock,
    paymentId,
    sync,
    run,
    refundAtProvider,
    settle,
    findRefundId,
    check,
  };
}
type PaidPayment = Awaited<ReturnType<typeof createPaidPayment>>;

/** Changes a database as a person with access to it could: without triggers and checks. */
async function tamper(text: string) {
  const client = await testDatabase.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    await client.query(text);
    await client.query('commit');
  } finally {
    client.release();
  }
}

const ofPayment = async ({ paymentId }: PaidPayment) => paymentId;
const ofRefund = ({ findRefundId }: PaidPayment) => findRefundId();
const refund = ({ paymentId }: PaidPayment, pounds: string) => [
  'refund',
  paymentId,
  '--amount',
  pounds,
  '--reason',
  'Not needed',
  '--requested-by',
  'Priya',
];

interface Difference {
  kind: string;
  /** Creates a difference between the record and the provider. */
  cause(world: PaidPayment): Promise<unknown>;
  subject(world: PaidPayment): Promise<string>;
  found: RegExp;
  /** The command that the fix names; by default the one that syncs the payment. */
  command?: (subject: string) => string;
  /** Whether a member does it at the desk. */
  isAtDesk?: boolean;
  /** The operator's correction outside Keyturn, if the fix names no command. */
  repair?: () => Promise<unknown>;
}

const differences: Difference[] = [
  {
    kind: 'refund_not_recorded',
    cause: ({ refundAtProvider }) => refundAtProvider(),
    subject: ofPayment,
    found: /^refund re_\w+ of £6\.00 is pending at the provider, and not recorded$/,
  },
  {
    kind: 'refund_mismatch',
    cause: async ({ refundAtProvider, sync, settle }) => {
      await refundAtProvider();
      await sync();
      await settle();
    },
    subject: ofPayment,
    found: /^refund re_\w+ of £6\.00 is succeeded at the provider, pending is recorded$/,
  },
  {
    kind: 'refund_went_back',
    cause: async ({ refundAtProvider, sync, intents }) => {
      const { id } = await refundAtProvider();
      await intents.endRefund(id, 'failed');
      await sync();
      await tamper("update sandbox_refunds set status = 'succeeded'");
    },
    subject: ofPayment,
    found: /^refund re_\w+ of £6\.00 is succeeded at the provider, failed is recorded$/,
    repair: () => tamper("update sandbox_refunds set status = 'failed'"),
  },
  {
    kind: 'refund_not_at_provider',
    cause: async ({ refundAtProvider, sync }) => {
      await refundAtProvider();
      await sync();
      await tamper("update sandbox_refunds set intent_id = 'pi_other_account'");
    },
    subject: ofPayment,
    found: /^refund re_\w+ of £6\.00 is pending, but the provider does not list it$/,
    repair: () =>
      tamper('update sandbox_refunds set intent_id = (select id from sandbox_intents order by id limit 1)'),
  },
  {
    kind: 'refund_total_mismatch',
    cause: async ({ refundAtProvider, sync }) => {
      await refundAtProvider();
      await sync();
      await tamper('delete from refunds');
    },
    subject: ofPayment,
    found: /^the payment has £6\.00 refunded and £0\.00 failed, but its refunds add up to £0\.00 and £0\.00$/,
  },
  {
    kind: 'refund_not_submitted',
    cause: async (world) => {
      const { dependencies, clock } = world;
      const createRefund = () => Promise.reject(new ProviderUnavailable('no answer'));
      const provider = { ...dependencies.provider, createRefund };
      await expect(
        refundAsMember({ ...dependencies, provider }, { paymentId: world.paymentId, amount: 600 }),
      ).rejects.toThrow(ProviderUnavailable);
      clock.advance(16 * 60_000);
    },
    subject: ofRefund,
    found: /^the refund of £6\.00 for payment \S+ has not reached the provider$/,
    command: (subject) => `refund submit ${subject}`,
  },
  {
    kind: 'refund_not_approved',
    cause: async (world) => {
      expect(await world.run(world.dependencies, ...refund(world, '11.00'))).toBe(0);
      world.clock.advance(16 * 60_000);
    },
    subject: ofRefund,
    found: /^the refund of £11\.00 for payment \S+ waits for a second person$/,
    isAtDesk: true,
  },
];

test.each(differences)(
  'payments check reports $kind until its fix is done',
  async ({
    kind,
    cause,
    subject,
    found,
    repair,
    isAtDesk,
    command = (id: string) => `review ${id} sync`,
  }) => {
    const world = await createPaidPayment();
    expect(await world.check()).toEqual([]);
    await cause(world);
    const subjectId = await subject(world);
    const reported = (await world.check()).find((discrepancy) => discrepancy.kind === kind);
    expect(reported).toMatchObject({ subject: subjectId, found: expect.stringMatching(found) });
    if (!reported) return;
    const [, fix = ''] = describeDiscrepancy(reported).split('. Fix: ');
    if (isAtDesk) {
      expect(fix).toMatch(/^approve it at the desk/);
      await approveAsMember(world.dependencies, subjectId);
    } else if (repair) {
      expect(fix).toMatch(/the refund at the provider/);
      await repair();
    } else {
      expect(fix).toContain(`keyturn payments ${command(subjectId)}`);
      const args = command(subjectId).split(' ');
      expect(await world.run(world.dependencies, ...args)).toBe(0);
    }
    expect(await world.check()).toEqual([]);
  },
);
