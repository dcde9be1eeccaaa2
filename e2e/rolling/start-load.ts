import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { CaseDocument, CaseSearch } from '@keyturn/contract';
import type { StripeSimulator } from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import { searchPaymentBody } from '../../apps/dashboard/src/api/payments/payment-bodies.ts';
import { sendToFeed, workAtDesk } from './office-work.mjs';
import { type OpenDashboard, withRetries } from './open-dashboard.ts';
import type { RollingFirm } from './start-firm.ts';

/** What a client has done, with the answers to rely on. */
export interface Activity {
  reads: number;
  /** The searches whose payment succeeded, according to the provider and the dashboard. */
  paid: string[];
  signed: string[];
  /** Failed requests that the dashboard does not repeat by itself. */
  failed: string[];
}

/** What the firm has done meanwhile. */
export interface FirmActivity {
  /** The documents that the member of staff has shared. */
  shared: string[];
  /** The titles that the feed has given to a case, oldest first. */
  titles: string[];
  failed: string[];
}

export interface Load {
  activities: Activity[];
  firm: FirmActivity;
  /**
   * Resolves once every client has read, paid and signed again, and the firm has shared a document and changed a case.
   * @throws Error if one of them has failed
   */
  waitForRound(): Promise<void>;
  /** Resolves when all requests are finished. */
  stop(): Promise<void>;
}

/** Uses a firm: clients, a member of staff at the desk, and the feed, each with pauses of up to `pauseBetween`. */
export function startLoad(
  { dashboards: clients, simulator, office, proxy }: RollingFirm,
  pauseBetween: number,
): Load {
  let isOver = false;
  const firm: FirmActivity = { shared: [], titles: [], failed: [] };
  const workInOffice = async (work: () => Promise<unknown>) => {
    while (!isOver) {
      await work().catch((error: unknown) => firm.failed.push(inspect(error)));
      await pause(Math.random() * pauseBetween);
    }
  };
  const inOffice = [
    workInOffice(async () => firm.shared.push(await workAtDesk(proxy.url, office))),
    workInOffice(async () => firm.titles.push(await repeatIfBusy(() => sendToFeed(proxy.url, office)))),
  ];
  const activities = clients.map((): Activity => ({ reads: 0, paid: [], signed: [], failed: [] }));
  const working = clients.map(async ({ dashboard, place }, index) => {
    const activity = activities[index] as Activity;
    while (!isOver) {
      for (const work of [read, payNext, signNext]) {
        await work(dashboard, activity, place, simulator).catch((error: unknown) =>
          activity.failed.push(`${work.name}: ${inspect(error)}`),
        );
        await pause(Math.random() * pauseBetween);
      }
    }
  });
  const countRounds = () => [
    ...activities.map(({ reads, paid, signed }) => Math.min(reads, paid.length, signed.length)),
    Math.min(firm.shared.length, firm.titles.length),
  ];
  return {
    activities,
    firm,
    waitForRound: async () => {
      const before = countRounds();
      // A round that had started before does not count.
      const isDone = () => countRounds().every((count, index) => count > (before[index] ?? 0) + 1);
      while (!isDone()) {
        const failed = [...activities, firm].flatMap((activity) => activity.failed);
        if (failed.length > 0) throw new Error(`the load failed: ${failed.join('; ')}`);
        await pause(50);
      }
    },
    stop: async () => {
      isOver = true;
      await Promise.all([...working, ...inOffice]);
    },
  };
}

/** Repeats a request of the feed as its documentation asks: twice if the answer is 503. */
async function repeatIfBusy(work: () => Promise<string>): Promise<string> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await work();
    } catch (error) {
      if (repeats === 2 || !String(error).includes(': 503 ')) throw error;
      await pause(5_000);
    }
  }
}

async function read({ call }: OpenDashboard, activity: Activity): Promise<void> {
  await withRetries(() => call('GET /milestones', {}));
  await withRetries(() => call('GET /case-history', { query: { limit: 5 } }));
  await withRetries(() => call('GET /client', {}));
  activity.reads += 1;
}

/** Pays for the client's next search with a card, and waits until the dashboard shows the payment as successful. */
async function payNext(
  { call, client }: OpenDashboard,
  activity: Activity,
  place: number,
  simulator: StripeSimulator,
): Promise<void> {
  const searches = await withRetries(() => call('GET /case-searches', {}));
  const own = searches.filter((_, index) => index % 2 === place);
  const search = own[activity.paid.length];
  if (!search) throw new Error('all searches are paid: the test took too long for its number of searches');
  // Pressing the button sends one request, which the dashboard does not repeat.
  const intent = await call('POST /case-searches/{id}/payments', {
    params: { id: search.id },
    body: searchPaymentBody(confirmed(client, search), search.price.gross),
    idempotencyKey: randomUUID(),
  });
  simulator.intents.confirm(intent.client_secret?.split('_secret')[0] ?? '', 'pm_card_visa');
  for (;;) {
    const payment = await withRetries(() =>
      call('GET /payments/{id}', { params: { id: intent.payment_id } }),
    );
    if (payment.status === 'succeeded') break;
    await pause(250);
  }
  activity.paid.push(search.id);
}

const confirmed = (
  { first_name, last_name, email }: OpenDashboard['client'],
  { order_wording }: CaseSearch,
) => ({
  own_card: true,
  payer_name: `${first_name} ${last_name}`,
  receipt_email: email,
  wording: '2026-11' as const,
  ...(order_wording ? { order_wording } : {}),
});

/** Downloads, reads and signs the client's next document. */
async function signNext({ call, client }: OpenDashboard, activity: Activity, place: number): Promise<void> {
  const { data } = await withRetries(() => call('GET /documents', {}));
  const byReference = (one: CaseDocument, other: CaseDocument) => one.id.localeCompare(other.id);
  const own = data.toSorted(byReference).filter((_, index) => index % 2 === place);
  const document = own[activity.signed.length];
  if (!document?.signature?.consent) throw new Error('no document is left to sign');
  const { id, sha256 } = document;
  const content = await withRetries(() =>
    call('GET /documents/{id}/content', { params: { id }, query: { version: 'original' } }),
  );
  if (
    createHash('sha256')
      .update(Buffer.from(await content.arrayBuffer()))
      .digest('hex') !== sha256
  )
    throw new Error(`the content of document ${id} differs from its SHA-256`);
  await withRetries(() => call('POST /documents/{id}/read', { params: { id } }));
  // Signing sends one request, which the dashboard does not repeat.
  await call('POST /documents/{id}/signature', {
    params: { id },
    body: { name: `${client.first_name} ${client.last_name}`, consent: document.signature.consent, sha256 },
  });
  activity.signed.push(id);
}
