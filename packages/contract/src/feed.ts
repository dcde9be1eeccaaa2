import { type Static, Type } from 'typebox';
import { Firm, Party, Property } from './entities/case-entities.ts';
import { Day, Instant, OneOf } from './entities/values.ts';
import { type LineMoney, lineMoney, vatCodeNames } from './entities/vat-codes.ts';
import {
  billStatuses,
  bindingMoments,
  type CancellationPeriod,
  cancellationPeriods,
  caseSearchOutcomes,
  caseSearchStatuses,
  caseStatuses,
  depositHoldings,
  documentGroups,
  historyCategories,
  matterFeatures,
  matterTypes,
  milestoneActors,
  milestoneStatuses,
  searchRequirements,
  signingMethods,
  taskKinds,
  taskStatuses,
} from './vocabulary.ts';

/*
 * The case feed, with which a firm's case-management system imports its cases into Keyturn. It consists of flat lists:
 * each record has the firm's own `reference` as its key and points to other records by theirs.
 */

const strict = { additionalProperties: false } as const;
const Text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description ? { description } : {}) });
const Reference = Text(100, 'The firm’s own key; must never change');
const Phone = Text(
  50,
  'One telephone number, in any usual form; read back in E.164, such as +441174960101;ext=12',
);
const Maybe = Type.Optional;

export const feedFormat = 'keyturn-case-feed/1';

/** The rules for payments are set at the desk. */
const { order_searches: _, payment_rules: __, ...firmOfFeed } = Firm.properties;

export const FeedFirm = Type.Object(
  {
    ...firmOfFeed,
    phone: Phone,
    vat_number: Maybe(
      Type.String({
        pattern: '^GB ?[0-9]{3} ?[0-9]{4} ?[0-9]{2}( ?[0-9]{3})?$',
        description: 'For example GB 123 4567 89. Without it, prices show no VAT',
      }),
    ),
    order_cutoff: Maybe(
      Type.String({
        pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
        description:
          'The time in London, HH:MM, from which searches are ordered on the next working day; default 15:00',
      }),
    ),
    closed_on: Maybe(
      Type.Array(Day, {
        maxItems: 1000,
        description: 'Days on which the firm is closed, besides weekends and bank holidays',
      }),
    ),
  },
  strict,
);

export const FeedClient = Type.Object(
  {
    reference: Reference,
    title: Maybe(Text(50)),
    first_name: Text(200),
    last_name: Text(200),
    email: Type.String({ format: 'email', maxLength: 320 }),
    phone: Maybe(Phone),
    password: Maybe(
      Text(128, 'The first password, for a firm that can invite clients; ignored once the client has one'),
    ),
  },
  strict,
);

export const FeedHandler = Type.Object(
  {
    name: Text(200),
    role: Text(200),
    phone: Phone,
    email: Type.String({ format: 'email', maxLength: 320 }),
  },
  strict,
);

export const FeedCase = Type.Object(
  {
    reference: Reference,
    title: Text(300),
    status: OneOf(caseStatuses),
    clients: Type.Array(Text(100), {
      minItems: 1,
      description: 'References of the clients, who all see the case',
    }),
    handlers: Type.Array(FeedHandler, {
      minItems: 1,
      description: 'The first is the main contact',
    }),
    cancellation: Maybe(
      Type.Unsafe<CancellationPeriod>({
        ...OneOf(cancellationPeriods),
        description:
          'The clients’ right to cancel your services: `none` if they are no consumers or signed at your office, `ends_on`, or `unknown`, the default',
      }),
    ),
    cancellation_ends_on: Maybe(
      Type.String({ format: 'date', description: 'The last day of the right to cancel, for `ends_on`' }),
    ),
    cancellation_notice_given: Maybe(
      Type.Boolean({
        description:
          'Needed for `ends_on`: you gave the clients the notice of the right to cancel and the cost of an early start',
      }),
    ),
  },
  strict,
);

export const FeedMilestone = Type.Object(
  {
    key: Text(100, 'A key of the matter type’s path'),
    status: OneOf(milestoneStatuses),
    title: Maybe(Text(200)),
    explanation: Maybe(Text(1000)),
    actor: Maybe(OneOf(milestoneActors)),
    waiting_for: Maybe(
      Text(
        200,
        'The party to act next, where Keyturn cannot know it; used until a client pays, signs or reads',
      ),
    ),
    reached_on: Maybe(Day),
    expected_from: Maybe(Day),
    expected_to: Maybe(Day),
    waiting_since: Maybe(Day),
    usual_working_days: Maybe(
      Type.Object({ from: Type.Integer({ minimum: 0 }), to: Type.Integer({ minimum: 0 }) }, strict),
    ),
    next_update_by: Maybe(Day),
  },
  strict,
);

/** The exchange of contracts as staff record it: the deposit, and the member who authorised it. */
export const FeedExchange = Type.Object(
  {
    deposit: Maybe(
      Type.Object(
        {
          amount: Type.Integer({ minimum: 1, maximum: 10_000_000_000, description: 'Pence' }),
          held_as: OneOf(depositHoldings),
        },
        strict,
      ),
    ),
    authorised_by: Text(200, 'The member of the firm who authorised the exchange'),
    authorised_on: Day,
  },
  strict,
);

const maxBalance = 100_000_000_000;

/** The balances of a matter in the firm’s own ledger, at the end of a day. */
export const FeedLedger = Type.Object(
  {
    client: Type.Integer({
      minimum: -maxBalance,
      maximum: maxBalance,
      description: 'Pence held for the client; below zero, the client ledger is overdrawn',
    }),
    office: Maybe(
      Type.Integer({
        minimum: -maxBalance,
        maximum: maxBalance,
        description: 'Pence; below zero, the client owes them to the firm',
      }),
    ),
    on: Day,
  },
  strict,
);
export type LedgerBalances = Static<typeof FeedLedger>;

export const FeedMatter = Type.Object(
  {
    reference: Reference,
    case: Text(100, 'Reference of the case'),
    matter_type: OneOf(matterTypes),
    status: OneOf(caseStatuses),
    property: Type.Object(Property.properties, strict),
    target_exchange_on: Maybe(Day),
    target_completion_on: Maybe(Day),
    exchanged_on: Maybe(Day),
    completed_on: Maybe(Day),
    parties: Maybe(Type.Array(Type.Object(Party.properties, strict))),
    exchange: Maybe(FeedExchange),
    features: Maybe(
      Type.Array(OneOf(matterFeatures), {
        uniqueItems: true,
        description:
          'What makes the matter special, which decides the steps that it has; without the field it keeps them',
      }),
    ),
    ledger: Maybe(FeedLedger),
    milestones: Type.Array(FeedMilestone, { description: 'Milestones that are left out are upcoming' }),
  },
  strict,
);

/** The sum that the firm estimated for something that clients pay. */
const estimateFields = {
  estimate: Maybe(
    Type.Integer({
      minimum: 1,
      maximum: 200_000_000,
      description: 'Pence with VAT that you told the client to expect',
    }),
  ),
  above_estimate: Maybe(
    Text(500, 'Why it costs more than the estimate, in sentences to the client; needed where it does'),
  ),
};

export const FeedSearch = Type.Object(
  {
    reference: Reference,
    matter: Text(100, 'Reference of the matter'),
    code: Text(50),
    name: Text(200),
    supplier: Text(200),
    explanation: Text(1000, 'Why it is needed, in plain English'),
    price: Type.Object(
      {
        net: Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'Pence' }),
        vat_rate: Type.Number({ minimum: 0, maximum: 100, description: 'Percent' }),
        vat: Maybe(
          Type.Integer({
            minimum: 0,
            description: 'Pence; default: the net amount at the rate, rounded half up',
          }),
        ),
        gross: Maybe(Type.Integer({ minimum: 0 })),
      },
      strict,
    ),
    supplier_cost: Maybe(
      Type.Integer({
        minimum: 0,
        maximum: 20_000_000,
        description: 'Pence with VAT that the supplier charges; the rest of the price is the firm’s charge',
      }),
    ),
    rebate: Maybe(
      Type.Integer({
        minimum: 0,
        maximum: 20_000_000,
        description: 'Pence that the supplier pays back to the firm; clients do not see it',
      }),
    ),
    ...estimateFields,
    refund_rule: Text(1000),
    required_by: OneOf(searchRequirements),
    status: OneOf(caseSearchStatuses),
    expected_on: Maybe(Day),
    paid_at: Maybe(Instant),
    ordered_at: Maybe(Instant),
    returned_at: Maybe(Instant),
    valid_until: Maybe(Day),
    delayed_reason: Maybe(Text(500)),
    outcome: Maybe(OneOf(caseSearchOutcomes)),
    outcome_summary: Maybe(Text(1000)),
    result_document: Maybe(Text(100, 'Reference of the document')),
  },
  strict,
);

/** The signed original of one client. */
export const FeedOriginal = Type.Object(
  { client: Text(100, 'Reference of the client'), received_on: Day },
  strict,
);

export const FeedDocument = Type.Object(
  {
    reference: Reference,
    matter: Text(100, 'Reference of the matter'),
    group: OneOf(documentGroups),
    title: Text(300),
    file: Text(500, 'Path relative to the folder of the feed file, and inside it'),
    pages: Maybe(Type.Integer({ minimum: 1 })),
    uploaded_by: Text(200),
    shared_at: Instant,
    supersedes: Maybe(Text(100, 'Reference of the previous version')),
    for_client: Maybe(
      Text(100, 'Reference of the only client who can see it; by default everyone on the case'),
    ),
    signing: Maybe(OneOf(signingMethods)),
    binds_on: Maybe(OneOf(bindingMoments)),
    received_on: Maybe(Day),
    originals: Maybe(Type.Array(FeedOriginal, { maxItems: 20 })),
    confirm_identity: Maybe(
      Type.Boolean({
        description:
          'Whether clients confirm their identity when they sign on the screen; by default for a contract',
      }),
    ),
  },
  strict,
);

export const FeedTask = Type.Object(
  {
    reference: Reference,
    case: Text(100, 'Reference of the case'),
    matter: Maybe(Text(100)),
    search: Maybe(Text(100)),
    document: Maybe(Text(100)),
    kind: OneOf(taskKinds),
    title: Text(200),
    explanation: Text(1000),
    due_on: Maybe(Day),
    amount: Maybe(Type.Integer({ minimum: 1, description: 'Pence, for `pay`' })),
    status: OneOf(taskStatuses),
  },
  strict,
);

export const FeedHistoryEntry = Type.Object(
  {
    reference: Reference,
    case: Text(100, 'Reference of the case'),
    occurred_at: Instant,
    category: OneOf(historyCategories),
    actor: Text(200),
    summary: Text(2000),
  },
  strict,
);

/** A line of a bill. */
export const FeedBillLine = Type.Object(
  {
    description: Text(300),
    net: Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'Pence' }),
    vat_code: OneOf(vatCodeNames),
    vat: Maybe(
      Type.Integer({
        minimum: 0,
        maximum: 100_000_000,
        description: 'Pence; default: the net amount at the rate of the code, rounded half up',
      }),
    ),
    money: Type.Unsafe<LineMoney>({
      ...OneOf(lineMoney),
      description: '`client`: held for the client until you use it; `office`: your own',
    }),
  },
  strict,
);

export const FeedBill = Type.Object(
  {
    reference: Reference,
    case: Text(100, 'Reference of the case'),
    matter: Maybe(Text(100, 'Reference of the matter; without it, the bill is for the whole case')),
    number: Text(50, 'The number on the bill'),
    description: Text(300),
    issued_on: Day,
    due_on: Maybe(Type.String({ ...Day, description: 'When it is due; default: the day it was issued' })),
    due_on_completion: Maybe(
      Type.Boolean({ description: 'Due when its matter completes, instead of on a day' }),
    ),
    lines: Maybe(Type.Array(FeedBillLine, { minItems: 1, maxItems: 100 })),
    net: Maybe(
      Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'Pence, for a bill without lines' }),
    ),
    vat_rate: Maybe(
      Type.Number({ minimum: 0, maximum: 100, description: 'Percent, for a bill without lines' }),
    ),
    vat: Maybe(
      Type.Integer({ minimum: 0, maximum: 100_000_000, description: 'Pence, for a bill without lines' }),
    ),
    ...estimateFields,
    document: Maybe(Text(100, 'Reference of the document with the bill itself, in the same case')),
    status: OneOf(billStatuses),
    paid: Maybe(
      Type.Integer({
        minimum: 0,
        maximum: 200_000_000,
        description: 'Pence paid by other means than by card in Keyturn; default 0',
      }),
    ),
  },
  strict,
);

export const CaseFeed = Type.Object(
  {
    format: Type.Literal(feedFormat),
    as_of: Day,
    firm: Maybe(FeedFirm),
    clients: Maybe(Type.Array(FeedClient)),
    cases: Maybe(Type.Array(FeedCase)),
    matters: Maybe(Type.Array(FeedMatter)),
    documents: Maybe(Type.Array(FeedDocument)),
    searches: Maybe(Type.Array(FeedSearch)),
    tasks: Maybe(Type.Array(FeedTask)),
    bills: Maybe(Type.Array(FeedBill)),
    history: Maybe(Type.Array(FeedHistoryEntry)),
  },
  { ...strict, title: 'Keyturn case feed', description: 'See docs/case-feed.md' },
);
export type CaseFeed = Static<typeof CaseFeed>;

/** The lists of a feed in the order of their import, with the schema of their records. */
export const feedRecords = {
  clients: FeedClient,
  cases: FeedCase,
  matters: FeedMatter,
  documents: FeedDocument,
  searches: FeedSearch,
  tasks: FeedTask,
  bills: FeedBill,
  history: FeedHistoryEntry,
} as const;
export type FeedList = keyof typeof feedRecords;
export type FeedRecord<List extends FeedList> = Static<(typeof feedRecords)[List]>;
