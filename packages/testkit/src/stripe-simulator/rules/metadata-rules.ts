import {
  create,
  creating,
  pages,
  type RuleRequest,
  refund,
  refunding,
  type StripeRule,
  update,
  updateDispute,
  updating,
} from './stripe-rule.ts';

const calls = [create, update, refund, updateDispute];

const sent = ({ params }: RuleRequest): [string, unknown][] => Object.entries(params.metadata || {});

const find = (request: RuleRequest, isWrong: (name: string, value: string) => boolean) => {
  const found = sent(request).find(([name, value]) => isWrong(name, String(value ?? '')));
  return found && `metadata[${found[0]}]`;
};

/** How many labels the object has afterwards: empty values remove theirs. */
function countAfter(request: RuleRequest): number {
  const existing = request.state.intents.get(request.id) ?? request.state.disputes.get(request.id);
  const merged = { ...existing?.metadata, ...Object.fromEntries(sent(request)) };
  return Object.values(merged).filter((value) => value !== '' && value !== null).length;
}

const labels = (count: number) =>
  Array.from({ length: count }, (_, index) => `metadata[k${index}]=v`).join('&');

/** Rules about metadata. */
export const metadataRules: readonly StripeRule[] = [
  {
    id: 'metadata-count',
    calls,
    parameter: 'metadata',
    rule: 'An object has at most 50 labels, the existing ones included.',
    source: pages.metadata,
    check: (request) => countAfter(request) > 50,
    error: { code: null, param: 'metadata', message: 'You can only specify up to 50 keys of metadata.' },
    breaks: [
      creating(labels(51)),
      { ...updating('metadata[a]=1&metadata[b]=2'), given: 'with 49 labels' },
      refunding(`payment_intent={intent}&${labels(51)}`),
    ],
  },
  {
    id: 'metadata-key-length',
    calls,
    parameter: 'metadata',
    rule: 'The name of a label has at most 40 characters.',
    source: pages.metadata,
    check: (request) => find(request, (name) => name.length > 40),
    error: { code: null, message: 'Metadata keys can have up to 40 characters.' },
    breaks: [
      creating(`metadata[${'k'.repeat(41)}]=1`),
      updating(`metadata[${'k'.repeat(41)}]=1`),
      refunding(`payment_intent={intent}&metadata[${'k'.repeat(41)}]=1`),
    ],
  },
  {
    id: 'metadata-value-length',
    calls,
    parameter: 'metadata',
    rule: 'The value of a label has at most 500 characters.',
    source: pages.metadata,
    check: (request) => find(request, (_name, value) => value.length > 500),
    error: { code: null, message: 'Metadata values can have up to 500 characters.' },
    breaks: [
      creating(`metadata[client]=${'v'.repeat(501)}`),
      updating(`metadata[client]=${'v'.repeat(501)}`),
      refunding(`payment_intent={intent}&metadata[client]=${'v'.repeat(501)}`),
    ],
  },
  {
    id: 'metadata-brackets',
    calls,
    parameter: 'metadata',
    rule: 'The name of a label has no square brackets.',
    source: pages.metadata,
    check: (request) => find(request, (name) => /[[\]]/.test(name)),
    error: { code: null, message: 'Metadata keys cannot contain square brackets.' },
    breaks: [creating('metadata[client%5B1]=1'), updating('metadata[client%5B1]=1')],
  },
];
