import { describe, expect, test } from 'vitest';
import {
  derivedWaiting,
  type MatterFacts,
  type SearchFacts,
  type StepUnderWay,
  waitingLine,
} from './waiting-line.ts';

const at = (day: string) => new Date(`${day}T12:00:00Z`);
const amelia = { id: 'amelia', firstName: 'Amelia', lastName: 'Okafor' };
const tom = { id: 'tom', firstName: 'Tom', lastName: 'Okafor' };

const factsOf = (overrides: Partial<MatterFacts> = {}): MatterFacts => ({
  matterType: 'purchase',
  parties: [{ role: 'lender', name: 'Mendip & Vale Building Society' }],
  clients: [amelia, tom],
  searches: [],
  documents: [],
  reports: [],
  ...overrides,
});
const stepOf = (overrides: Partial<StepUnderWay> = {}): StepUnderWay => ({
  key: 'searches_paid',
  actor: 'you',
  waitingFor: null,
  waitingSince: null,
  waitingSetAt: null,
  ...overrides,
});
const search = (supplier: string, overrides: Partial<SearchFacts> = {}): SearchFacts => ({
  supplier,
  status: 'awaiting_payment',
  createdAt: at('2026-11-19'),
  paidAt: null,
  orderedAt: null,
  returnedAt: null,
  pendingPayment: null,
  ...overrides,
});
type Line = [string, string | null];
const lines = (step: StepUnderWay, facts: MatterFacts): Line[] =>
  facts.clients.map(({ id }) => {
    const { waiting_for, waiting_since } = waitingLine(step, facts, id);
    return [waiting_for, waiting_since];
  });
/** The line, if both clients read the same. */
const lineForAll = (step: StepUnderWay, facts: MatterFacts) => {
  const [first, ...others] = lines(step, facts) as [Line, ...Line[]];
  for (const other of others) expect(other).toEqual(first);
  return first;
};

describe('the waiting-for line of a search step', () => {
  const council = search('Somerset Council');
  const water = search('Wessex Water');
  const paid = { status: 'paid', paidAt: at('2026-11-23') } as const;
  const ordered = { ...paid, status: 'ordered', orderedAt: at('2026-11-24') } as const;
  const returned = { ...ordered, status: 'returned', returnedAt: at('2026-12-02') } as const;

  test.each([
    ['nothing is paid', [council, water], 'You, then Somerset Council and Wessex Water', '2026-11-19'],
    ['one is paid', [{ ...council, ...paid }, water], 'You, then Wessex Water', '2026-11-19'],
    [
      'the bank is confirming the last payment',
      [
        { ...council, ...paid },
        { ...water, pendingPayment: { heldBy: 'bank', since: at('2026-11-25') } },
      ],
      'Your bank',
      '2026-11-25',
    ],
    [
      'the firm is reviewing a payment',
      [
        { ...council, ...paid },
        { ...water, pendingPayment: { heldBy: 'firm', since: at('2026-11-25') } },
      ],
      'Us',
      '2026-11-25',
    ],
    [
      'all are paid',
      [
        { ...council, ...paid },
        { ...water, ...paid, paidAt: at('2026-11-26') },
      ],
      'Us',
      '2026-11-26',
    ],
    [
      'one is ordered',
      [
        { ...council, ...ordered },
        { ...water, ...paid },
      ],
      'Us',
      '2026-11-23',
    ],
    [
      'all are ordered',
      [
        { ...council, ...ordered },
        { ...water, ...ordered, orderedAt: at('2026-11-25') },
      ],
      'Somerset Council and Wessex Water',
      '2026-11-24',
    ],
    [
      'one result is back',
      [
        { ...council, ...ordered },
        { ...water, ...returned },
      ],
      'Somerset Council',
      '2026-11-24',
    ],
    [
      'all results are back',
      [
        { ...council, ...returned },
        { ...water, ...returned, status: 'reviewed', returnedAt: at('2026-12-04') },
      ],
      'Us',
      '2026-12-04',
    ],
    ['two searches have one supplier', [council, { ...council }], 'You, then Somerset Council', '2026-11-19'],
  ] as [string, SearchFacts[], string, string][])(
    'the waiting-for line of a search step is derived when %s',
    (_, searches, words, since) => {
      for (const key of ['searches_paid', 'searches_ordered', 'searches_received', 'searches_or_insurance']) {
        expect(lineForAll(stepOf({ key }), factsOf({ searches }))).toEqual([words, since]);
      }
    },
  );

  test('the waiting-for line uses the firm’s date for a payment by the client, unless the date belongs to the firm’s own text', () => {
    const step = stepOf({ waitingSince: '2026-11-17' });
    expect(lineForAll(step, factsOf({ searches: [council] }))).toEqual([
      'You, then Somerset Council',
      '2026-11-17',
    ]);
    const words = stepOf({
      waitingSince: '2026-11-17',
      waitingFor: 'Terrain Data',
      waitingSetAt: at('2026-11-30'),
    });
    expect(lineForAll(words, factsOf({ searches: [council] }))).toEqual([
      'You, then Somerset Council',
      '2026-11-19',
    ]);
  });

  test('fault 49: counts the days of the waiting-for line in London time', () => {
    const paidAt = new Date('2026-07-01T23:30:00Z');
    expect(lineForAll(stepOf(), factsOf({ searches: [{ ...council, ...paid, paidAt }] }))).toEqual([
      'Us',
      '2026-07-02',
    ]);
  });

  test('a search step of a matter without searches waits for the party that usually does it', () => {
    expect(lineForAll(stepOf({ waitingSince: '2026-11-17' }), factsOf())).toEqual(['You', '2026-11-17']);
    expect(lineForAll(stepOf({ key: 'searches_ordered', actor: 'us' }), factsOf())).toEqual(['Us', null]);
  });
});

describe('the waiting-for line of a signing step', () => {
  const step = stepOf({ key: 'documents_signed' });
  const contract = {
    sharedAt: at('2026-11-16'),
    isOnPaper: false,
    originals: [] as { clientId: string; receivedAt: Date }[],
    isClosed: false,
    receivedAt: null,
    signatures: [] as { clientId: string; signedAt: Date }[],
  };
  const by = (clientId: string, day: string) => ({ clientId, signedAt: at(day) });
  const deed = { ...contract, isOnPaper: true, sharedAt: at('2026-11-18') };

  test('the waiting-for line names those who have not signed, the reader as You, and changes with each signature', () => {
    const after = (signatures: (typeof contract)['signatures']) =>
      lines(step, factsOf({ documents: [{ ...contract, signatures }] }));
    expect(after([])).toEqual([
      ['You and Tom', '2026-11-16'],
      ['You and Amelia', '2026-11-16'],
    ]);
    expect(after([by('amelia', '2026-11-20')])).toEqual([
      ['Tom', '2026-11-16'],
      ['You', '2026-11-16'],
    ]);
    expect(after([by('amelia', '2026-11-20'), by('tom', '2026-11-22')])).toEqual([
      ['Us', '2026-11-22'],
      ['Us', '2026-11-22'],
    ]);
  });

  test('the waiting-for line counts every document: a client who has signed one of two still has to act', () => {
    const documents = [
      { ...contract, signatures: [by('amelia', '2026-11-20'), by('tom', '2026-11-20')] },
      { ...contract, sharedAt: at('2026-11-19'), signatures: [by('tom', '2026-11-20')] },
    ];
    expect(lines(step, factsOf({ documents }))).toEqual([
      ['You', '2026-11-19'],
      ['Amelia', '2026-11-19'],
    ]);
  });

  test('the waiting-for line names those whose signed originals the firm has not received', () => {
    const original = (clientId: string) => ({ clientId, receivedAt: at('2026-11-21') });
    const after = (originals: (typeof deed)['originals'], more: object[] = []) =>
      lines(step, factsOf({ documents: [{ ...deed, originals }, ...(more as (typeof deed)[])] })).map(
        ([names]) => names,
      );
    expect(after([])).toEqual(['Your signed papers', 'Your signed papers']);
    expect(after([original('amelia')])).toEqual(['Signed papers from Tom', 'Your signed papers']);
    expect(after([original('amelia')], [contract])).toEqual([
      'Signatures from you and Tom, and signed papers from Tom',
      'Signatures from you and Amelia, and your signed papers',
    ]);
    expect(after([original('amelia'), original('tom')])).toEqual(['Us', 'Us']);
  });

  test('documents signed on paper are outstanding until the firm has received them', () => {
    const signatures = [by('amelia', '2026-11-20')];
    const documents = [{ ...contract, signatures }, deed];
    expect(lines(step, factsOf({ documents }))[0]).toEqual([
      'Tom’s signature and your signed papers',
      '2026-11-16',
    ]);
    expect(lineForAll(step, factsOf({ documents: [deed] }))).toEqual(['Your signed papers', '2026-11-18']);
    expect(lines(step, factsOf({ documents: [contract, deed] })).map(([waitingFor]) => waitingFor)).toEqual([
      'Signatures from you and Tom, and your signed papers',
      'Signatures from you and Amelia, and your signed papers',
    ]);
    expect(lines(step, factsOf({ documents }))[1]?.[0]).toBe('Your signature and your signed papers');
    const received = { ...deed, isClosed: true, receivedAt: at('2026-11-25') };
    expect(lineForAll(step, factsOf({ documents: [received] }))).toEqual(['Us', '2026-11-25']);
  });

  test('a document that the firm reports as done needs no signature in Keyturn', () => {
    expect(lineForAll(step, factsOf({ documents: [{ ...contract, isClosed: true }] }))).toEqual(['Us', null]);
  });

  test('the waiting-for line distinguishes clients with the same first name by their last name', () => {
    const clients = [amelia, { ...tom, firstName: 'Amelia', lastName: 'Reid' }];
    const { waiting_for } = waitingLine(step, factsOf({ clients, documents: [contract] }), 'amelia');
    expect(waiting_for).toBe('You and Amelia Reid');
  });

  test('the waiting-for line of a signing step shows a sole client You, then Us', () => {
    const sole = factsOf({ clients: [amelia], documents: [contract] });
    expect(lineForAll(step, sole)).toEqual(['You', '2026-11-16']);
    const signed = { ...contract, signatures: [by('amelia', '2026-11-20')] };
    expect(lineForAll(step, { ...sole, documents: [signed] })).toEqual(['Us', '2026-11-20']);
  });
});

test('the waiting-for line of a report names those who have not read it', () => {
  const step = stepOf({ key: 'report_sent', actor: 'us' });
  const report = { sharedAt: at('2026-12-16'), forClientId: null as string | null };
  const after = (readBy: { clientId: string; readAt: Date }[], forClientId: string | null = null) =>
    lines(step, factsOf({ reports: [{ ...report, forClientId, readBy }] }));
  const ameliaRead = { clientId: 'amelia', readAt: at('2026-12-17') };
  expect(after([])[0]).toEqual(['You and Tom', '2026-12-16']);
  expect(after([ameliaRead])).toEqual([
    ['Tom', '2026-12-16'],
    ['You', '2026-12-16'],
  ]);
  expect(after([ameliaRead, { clientId: 'tom', readAt: at('2026-12-18') }])[0]).toEqual(['Us', '2026-12-18']);
  expect(after([], 'amelia')[0]).toEqual(['You', '2026-12-16']);
});

describe('the firm’s own waiting-for line', () => {
  const words = (waitingFor: string, setOn: string, key = 'searches_received') =>
    stepOf({ key, actor: 'third_party', waitingFor, waitingSince: '2026-11-24', waitingSetAt: at(setOn) });
  const ordered = search('Somerset Council', {
    status: 'ordered',
    paidAt: at('2026-11-23'),
    orderedAt: at('2026-11-24'),
  });

  test('the firm’s waiting-for text applies if it is newer than everything that Keyturn knows', () => {
    const step = words('Somerset Council, whose system is down', '2026-11-25');
    expect(lineForAll(step, factsOf({ searches: [ordered] }))).toEqual([
      'Somerset Council, whose system is down',
      '2026-11-24',
    ]);
  });

  test('the firm’s waiting-for text no longer applies after a later payment, order or result', () => {
    const step = words('The surveyor', '2026-11-24');
    const returned = { ...ordered, status: 'returned', returnedAt: at('2026-12-02') } as const;
    expect(lineForAll(step, factsOf({ searches: [returned] }))).toEqual(['Us', '2026-12-02']);
    const unknown = { ...step, waitingSetAt: null };
    expect(lineForAll(unknown, factsOf({ searches: [ordered] }))[0]).toBe('Somerset Council');
  });

  const unpaid = search('Wessex Water');
  const lineOf = (step: StepUnderWay, facts: Partial<MatterFacts>, viewerId = 'amelia') =>
    waitingLine(step, factsOf(facts), viewerId);

  test('the firm’s waiting-for text is added to what a client has to pay or sign', () => {
    expect(lineOf(words('The seller, who is away', '2026-12-30'), { searches: [unpaid] })).toEqual({
      waiting_for: 'You, then Wessex Water',
      waiting_since: '2026-11-19',
      also_waiting: { waiting_for: 'The seller, who is away', waiting_since: '2026-11-24' },
    });
    expect(lineOf(words('The seller', '2026-12-30'), { searches: [ordered] }).also_waiting).toBe(null);
  });

  test('the firm’s waiting-for text is not added after a later payment, or where the line has its words', () => {
    const paid = search('Somerset Council', { status: 'paid', paidAt: at('2026-11-23') });
    const added = (step: StepUnderWay) => lineOf(step, { searches: [paid, unpaid] }).also_waiting;
    expect(added(words('The seller', '2026-11-24'))).not.toBe(null);
    expect(added(words('The seller', '2026-11-22'))).toBe(null);
    expect(added(words('Wessex Water', '2026-11-24'))).toBe(null);
    expect(added(words('You', '2026-11-24'))).toBe(null);
  });

  test('staff see what clients read without the firm’s text, and whether it is shown', () => {
    const derived = (step: StepUnderWay, searches: SearchFacts[]) =>
      derivedWaiting(step, factsOf({ searches }), 'amelia');
    const certain = { waiting_for: 'You, then Wessex Water', basis: 'certain' };
    const known = { waiting_for: 'Somerset Council', basis: 'known' };
    expect(derived(words('The seller', '2026-11-30'), [unpaid])).toEqual({
      ...certain,
      is_own_outdated: false,
    });
    expect(derived(words('You', '2026-11-30'), [unpaid])).toEqual({ ...certain, is_own_outdated: true });
    expect(derived(stepOf(), [ordered])).toEqual({ ...known, is_own_outdated: false });
    expect(derived(words('The seller', '2026-11-20'), [ordered])).toEqual({
      ...known,
      is_own_outdated: true,
    });
    expect(derived(words('The seller', '2026-01-01', 'title_reviewed'), [])).toEqual({
      waiting_for: 'Another organisation',
      basis: 'usual',
      is_own_outdated: false,
    });
  });

  test('the firm’s waiting-for text does not apply if it starts with You and nothing is left to do', () => {
    const step = words('You, then Somerset Council', '2026-12-30');
    expect(lineForAll(step, factsOf({ searches: [ordered] }))[0]).toBe('Somerset Council');
    expect(lineForAll(words('You', '2026-12-30', 'identity_checked'), factsOf())[0]).toBe('You');
  });

  test('the firm’s waiting-for text applies to a step about which Keyturn knows nothing', () => {
    expect(lineForAll(words('The freeholder', '2026-01-01', 'enquiries_raised'), factsOf())).toEqual([
      'The freeholder',
      '2026-11-24',
    ]);
  });
});

test.each([
  ['mortgage_offer_received', 'third_party', 'purchase', 'Mendip & Vale Building Society'],
  ['redemption_statement', 'third_party', 'remortgage', 'Another organisation'],
  ['registration_applied', 'third_party', 'purchase', 'Us'],
  ['registered', 'third_party', 'purchase', 'HM Land Registry'],
  ['enquiries_answered', 'other_side', 'purchase', 'Everyone in the chain'],
  ['contract_pack_received', 'other_side', 'purchase', 'The seller’s lawyer'],
  ['enquiries_answered', 'other_side', 'sale', 'Everyone in the chain'],
  ['title_reviewed', 'us', 'purchase', 'Us'],
  ['identity_checked', 'you', 'purchase', 'You'],
] as const)(
  'without facts or a text of the firm, the step %s waits for the party that usually does it',
  (key, actor, matterType, name) => {
    const step = stepOf({ key, actor, waitingSince: '2026-11-12' });
    expect(lineForAll(step, factsOf({ matterType }))).toEqual([name, '2026-11-12']);
  },
);

test('a lender that the matter does not name is shown as another organisation', () => {
  const step = stepOf({ key: 'mortgage_offer_received', actor: 'third_party' });
  expect(lineForAll(step, factsOf({ parties: [] }))[0]).toBe('Another organisation');
});
