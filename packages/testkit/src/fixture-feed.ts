/** Feeds for the tests of the import. */

const firm = {
  name: 'A & B',
  sra_number: '1',
  phone: '0117 496 0100',
  address: ['Bristol'],
  opening_hours: 'Weekdays',
};
/** A feed with one record in each list, all of one case. */
export const fixtureFeed = {
  format: 'keyturn-case-feed/1',
  as_of: '2026-11-20',
  firm,
  clients: [
    {
      reference: 'C1',
      first_name: 'Zoë',
      last_name: "O'Brien-Łukasiewicz 李",
      email: 'zoe@example.test',
    },
  ],
  cases: [
    {
      reference: 'K1',
      title: 'A case',
      status: 'active',
      clients: ['C1'],
      handlers: [{ name: 'R', role: 'C', phone: '0117 496 0101', email: 'r@example.test' }],
    },
  ],
  matters: [
    {
      reference: 'M1',
      case: 'K1',
      matter_type: 'purchase',
      status: 'active',
      property: {
        address_lines: ['1 Road'],
        town: 'Bath',
        postcode: 'BA1 1AA',
        tenure: 'freehold',
        title_number: null,
        price: 100,
      },
      milestones: [
        { key: 'instructed', status: 'done', reached_on: '2026-11-01' },
        { key: 'identity_checked', status: 'current' },
      ],
    },
  ],
  documents: [
    {
      reference: 'D1',
      matter: 'M1',
      group: 'contract',
      title: 'Letter',
      file: 'letter.pdf',
      uploaded_by: 'R',
      shared_at: '2026-11-01T10:00:00Z',
    },
  ],
  searches: [
    {
      reference: 'S1',
      matter: 'M1',
      code: 'ENVIRO',
      name: 'Environmental',
      supplier: 'T',
      explanation: 'Why',
      price: { net: 3333, vat_rate: 17.5 },
      refund_rule: 'All of it',
      required_by: 'lender',
      status: 'awaiting_payment',
      result_document: 'D1',
    },
  ],
  tasks: [
    {
      reference: 'T1',
      case: 'K1',
      search: 'S1',
      kind: 'pay_search',
      title: 'Pay',
      explanation: 'Now',
      status: 'open',
    },
  ],
  history: [
    {
      reference: 'H1',
      case: 'K1',
      occurred_at: '2026-11-01T09:00:00Z',
      category: 'case',
      actor: 'R',
      summary: 'Opened',
    },
  ],
} as const;

/** Returns the sample feed with every record of one list changed in the same way. */
export const changedFeed = <List extends keyof typeof fixtureFeed>(list: List, change: object) => ({
  ...fixtureFeed,
  [list]: (fixtureFeed[list] as readonly object[]).map((record) => ({ ...record, ...change })),
});
