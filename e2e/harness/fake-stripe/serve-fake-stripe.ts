import { readFileSync } from 'node:fs';
import type { StripeSimulator } from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import type { StripeIntent } from '@keyturn/testkit/stripe-simulator/stripe-state.ts';
import type { BrowserContext, Request, Route } from 'playwright-core';

/** Controls the fake Stripe that a browser sees. */
export interface FakeStripe {
  /** The requests to Stripe's hosts, in order: `GET https://js.stripe.com/endive/stripe.js`. */
  requests: string[];
  /** How requests for Stripe.js are answered from now on. */
  script: 'there' | 'blocked' | 'silent' | 'not Stripe';
  /** Responds to the requests that were left open while `silent`. */
  release(): void;
  /** How card confirmations are answered from now on. */
  confirmation: 'answered' | 'answer lost' | 'never sent';
  /** Whether Stripe delivers webhooks to the product. */
  deliversWebhooks: boolean;
}

/** Serves Stripe's hosts in a browser from the simulator, and delivers its webhooks to the product. */
export async function serveFakeStripe(
  context: BrowserContext,
  simulator: StripeSimulator,
  productUrl: string,
): Promise<FakeStripe> {
  let release: () => void = () => undefined;
  let released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const stripe: FakeStripe = {
    requests: [],
    script: 'there',
    release: () => {
      release();
      released = Promise.resolve();
    },
    confirmation: 'answered',
    deliversWebhooks: true,
  };
  const deliverWebhooks = async () => {
    while (stripe.deliversWebhooks && simulator.webhooks.waiting.length > 0) {
      const event = simulator.webhooks.waiting.shift();
      if (event)
        await simulator.webhooks.deliver(`${productUrl}/api/webhooks/stripe`, event, { at: new Date() });
    }
  };
  const html = (route: Route, body: string) => route.fulfill({ contentType: 'text/html', body });

  await context.route('https://js.stripe.com/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    stripe.requests.push(`${route.request().method()} ${route.request().url()}`);
    if (pathname === '/stand-in/fields') return html(route, fieldsPage);
    if (pathname === '/stand-in/bank') return html(route, bankPage);
    if (stripe.script === 'blocked') return route.abort();
    if (stripe.script === 'silent') await released;
    const body = stripe.script === 'not Stripe' ? 'void 0;' : script;
    return route.fulfill({ contentType: 'text/javascript', body }).catch(() => undefined);
  });

  await context.route('https://api.stripe.com/**', async (route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    const [, id = '', action] = /^\/v1\/payment_intents\/(\w+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    stripe.requests.push(`${request.method()} ${request.url().split('?')[0]}`);
    if (action === 'confirm' && stripe.confirmation === 'never sent') return route.abort();
    const body = await answerTo(simulator, request, { id, action });
    if (action === 'confirm' && stripe.confirmation === 'answer lost') {
      await route.abort();
    } else {
      const headers = { 'access-control-allow-origin': '*' };
      await route.fulfill({ contentType: 'application/json', headers, body }).catch(() => undefined);
    }
    await deliverWebhooks();
  });

  // This bank authenticates the client on its own page.
  await context.route('https://hooks.stripe.com/**', async (route) => {
    const asked = new URL(route.request().url()).searchParams;
    const outcome = asked.get('outcome');
    if (!outcome) return html(route, bankPage);
    const intent = simulator.intents.authenticate(asked.get('intent') ?? '', outcome as 'approved');
    await deliverWebhooks();
    return redirectBack(route, intent, asked.get('return_url') ?? '');
  });

  // The page on which a client approves a payment by bank.
  await context.route('https://pm-redirects.stripe.com/**', async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const id = pathname.split('/').at(-1) ?? '';
    const outcome = searchParams.get('outcome');
    if (!outcome) return html(route, payByBankPage);
    const returnUrl = simulator.intents.find(id).next_action?.redirect_to_url?.return_url ?? '';
    const intent = simulator.intents.answerAtBank(id, outcome as 'authorised');
    await deliverWebhooks();
    return redirectBack(route, intent, returnUrl);
  });
  return stripe;
}

/** Redirects to the product, with the parameters that Stripe adds. */
function redirectBack(route: Route, intent: StripeIntent, returnUrl: string) {
  const back = new URL(returnUrl);
  back.searchParams.set('payment_intent', intent.id);
  back.searchParams.set('payment_intent_client_secret', intent.client_secret);
  // A forged value, which the product must ignore.
  back.searchParams.set('redirect_status', 'succeeded');
  return route.fulfill({ status: 302, headers: { location: back.href } });
}

/** Stripe.js calls from its own frame, so an error response is no console message of our page. */
async function answerTo(
  simulator: StripeSimulator,
  request: Request,
  { id, action }: { id: string; action: string | undefined },
): Promise<string> {
  const sent = request.postData();
  if (action === 'stand_in_authenticate') {
    const outcome = new URLSearchParams(sent ?? '').get('outcome');
    return JSON.stringify(simulator.intents.authenticate(id, outcome as 'approved'));
  }
  const { pathname, search } = new URL(request.url());
  const answer = await fetch(`${simulator.url}${pathname}${search}`, {
    method: request.method(),
    headers: { authorization: 'Bearer pk_test_browser' },
    body: sent,
  });
  return answer.text();
}

/** Stripe's payment methods by the card numbers that a test types. */
const methods = {
  '4242424242424242': 'pm_card_visa',
  '4000000000000002': 'pm_card_chargeDeclined',
  '4000000000009995': 'pm_card_chargeDeclinedInsufficientFunds',
  '4000000000000069': 'pm_card_chargeDeclinedExpiredCard',
  '4000000000000127': 'pm_card_chargeDeclinedIncorrectCvc',
  '4000000000009979': 'pm_card_chargeDeclinedStolenCard',
  '4000002760003184': 'pm_card_authenticationRequired',
  '4000000000003063': 'pm_sim_redirect',
  '4000000000000077': 'pm_sim_later',
};

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const script = read('stripe.js');
const bankPage = read('bank.html');
const payByBankPage = read('pay-by-bank.html');
const fieldsPage = read('fields.html').replace('METHODS', JSON.stringify(methods));
