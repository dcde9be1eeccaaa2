import { createHash } from 'node:crypto';
import { type RequestPolicy, usualPolicy } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DomainError } from '../../platform/domain-error.ts';
import type { SandboxIntents } from './sandbox-intents.ts';
import { type BankOutcome, bankOutcomes } from './sandbox-outcomes.ts';
import type { StoredSandboxIntent } from './stored-intent.ts';

/** Payments in progress must be able to finish. */
export const sandboxPolicy: RequestPolicy = { ...usualPolicy, priority: 'high' };

/**
 * Registers the page on which a client approves a sandbox payment by bank. It replaces the bank's own site, so it is
 * outside the dashboard, uses no session, works on another device, and is authorised only by the random token in its
 * address.
 */
export function registerBankPage(api: FastifyInstance, intents: SandboxIntents): void {
  const route = { schema: { hide: true } as object, config: { policy: sandboxPolicy } };
  const find = async (token: string) => {
    const intent = token.includes('\0') ? undefined : await intents.findByBankToken(token);
    if (!intent) throw new DomainError('not_found');
    return intent;
  };
  // Each answer is a form without fields that posts to its own address.
  api.addContentTypeParser('application/x-www-form-urlencoded', { bodyLimit: 1_024 }, async () => null);

  api.get<{ Params: { token: string } }>('/sandbox/bank/:token', route, async ({ params }, reply) =>
    sendPage(reply, await find(params.token)),
  );
  api.post<{ Params: { token: string; outcome: string } }>(
    '/sandbox/bank/:token/:outcome',
    route,
    async ({ params }, reply) => {
      const outcome = bankOutcomes.find((known) => known === params.outcome);
      if (!outcome) throw new DomainError('not_found');
      await find(params.token);
      await intents.answerAtBank(params.token, outcome);
      const { return_url } = await find(params.token);
      return reply.header('cache-control', 'no-store').redirect(return_url ?? '/payment', 303);
    },
  );
}

function sendPage(reply: FastifyReply, intent: StoredSandboxIntent): FastifyReply {
  const returnTo = new URL(intent.return_url ?? '/payment', 'http://localhost').origin;
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header(
      'content-security-policy',
      // Browsers apply `form-action` to the redirect that follows, too.
      `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self' ${returnTo}; base-uri 'none'; frame-ancestors 'none'`,
    )
    .send(pageOf(intent));
}

const style = `
:root { color-scheme: light dark; --page: #f3f4f6; --card: #ffffff; --ink: #16202b; --soft: #4a5663; --line: #77828e;
  --main: #14532d; --on-main: #ffffff; --focus: #1d4ed8; }
@media (prefers-color-scheme: dark) {
  :root { --page: #10161d; --card: #1a232d; --ink: #f1f5f9; --soft: #b6c2cf; --line: #8492a1;
    --main: #86efac; --on-main: #0b2415; --focus: #93c5fd; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 17px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 30rem; margin: 0 auto; padding: 24px 16px 48px; }
.test { margin: 0; padding: 10px 16px; background: var(--ink); color: var(--page); text-align: center; font-size: 15px; }
.card { padding: 24px; border-radius: 12px; background: var(--card); }
h1 { margin: 0 0 16px; font-size: 26px; line-height: 1.25; }
h2 { margin: 32px 0 4px; font-size: 19px; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 6px 20px; margin: 0 0 24px; }
dt { color: var(--soft); }
dd { margin: 0; text-align: right; font-weight: 600; overflow-wrap: anywhere; }
p { margin: 0 0 16px; }
.soft { color: var(--soft); font-size: 15px; }
form + form { margin-top: 12px; }
button, a.button { display: block; width: 100%; min-height: 48px; padding: 11px 16px; border: 2px solid var(--line);
  border-radius: 10px; background: none; color: inherit; font: inherit; font-weight: 600; text-align: center;
  text-decoration: none; cursor: pointer; }
.main { border-color: var(--main); background: var(--main); color: var(--on-main); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

function pageOf(intent: StoredSandboxIntent): string {
  const isOpen = intent.status === 'requires_action';
  const title = isOpen ? 'Approve this payment' : 'There is nothing to approve';
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Test bank</title>
<style>${style}</style>
</head>
<body>
<header class="test"><strong>Test bank.</strong> No money moves.</header>
<main>
<div class="card">
<h1>${title}</h1>
${isOpen ? openPage(intent) : answeredPage(intent)}
</div>
</main>
</body>
</html>
`;
}

const openPage = (intent: StoredSandboxIntent) => `<dl>
<dt>Amount</dt><dd>${formatMoney(intent.amount)}</dd>
<dt>From</dt><dd>Test account</dd>
</dl>
${form(intent, 'approved', 'Approve', 'main')}
${form(intent, 'cancelled', 'Cancel and go back')}
<h2>Try what can go wrong</h2>
<p class="soft">Or leave this page with your browser’s Back button, or close it.</p>
${form(intent, 'declined', 'The bank refuses the payment')}
${form(intent, 'fails_later', 'Approve, but the money never arrives')}`;

const form = ({ bank_token }: StoredSandboxIntent, outcome: BankOutcome, text: string, look = '') =>
  `<form method="post" action="${bank_token}/${outcome}"><button class="${look}">${text}</button></form>`;

const answeredPage = ({
  return_url,
}: StoredSandboxIntent) => `<p>This payment was answered before, or it was cancelled.</p>
<a class="button main" href="${escapeHtml(return_url ?? '/payment')}">Go back to the firm</a>`;

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
