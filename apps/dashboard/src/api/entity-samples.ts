import type {
  CaseSearch,
  Client,
  ConveyancingCase,
  HistoryEntry,
  Matter,
  Milestone,
  Payment,
  Task,
} from '@keyturn/contract';

/* Whole entities for tests; a test names only what it is about. */

const identity = { created_at: '2026-11-01T09:00:00.000Z', updated_at: '2026-11-19T09:00:00.000Z' };

export const sampleMatter = (given: Partial<Matter> = {}): Matter => ({
  ...identity,
  id: 'matter',
  matter_type: 'purchase',
  status: 'active',
  property: {
    address_lines: ['The Old Chapel', 'Priory Lane'],
    town: 'Frome',
    postcode: 'BA11 4QX',
    tenure: 'freehold',
    title_number: null,
    price: 485_000_00,
  },
  stage: null,
  progress: { done: 0, total: 0 },
  target_exchange_on: null,
  target_completion_on: null,
  exchanged_on: null,
  completed_on: null,
  parties: [],
  ...given,
});

export const sampleMilestone = (given: Partial<Milestone> = {}): Milestone => ({
  ...identity,
  id: `milestone ${given.key ?? 'instructed'}`,
  matter_id: 'matter',
  key: 'instructed',
  title: 'Case opened',
  explanation: 'You have asked us to act.',
  stage: { title: 'Opened', position: 1, key_moment: false },
  actor: 'us',
  waiting_for: null,
  status: 'upcoming',
  reached_on: null,
  expected_from: null,
  expected_to: null,
  waiting_since: null,
  usual_working_days: null,
  next_update_by: null,
  position: 1,
  ...given,
});

export const sampleCaseSearch = (given: Partial<CaseSearch> = {}): CaseSearch => ({
  ...identity,
  id: 'search',
  matter_id: 'matter',
  code: 'LLC1_CON29R',
  name: 'Local authority',
  supplier: 'Somerset Council',
  explanation: 'Planning, roads and charges.',
  price: { net: 230_00, vat_rate: 20, vat: 46_00, gross: 276_00 },
  refund_rule: 'All of it until it is ordered.',
  required_by: 'lender',
  status: 'awaiting_payment',
  expected_on: null,
  paid_at: null,
  ordered_at: null,
  returned_at: null,
  valid_until: null,
  delayed_reason: null,
  outcome: null,
  outcome_summary: null,
  result_document_id: null,
  payment: null,
  payable: true,
  ...given,
});

export const sampleTask = (given: Partial<Task> = {}): Task => ({
  ...identity,
  id: 'task',
  kind: 'pay_search',
  title: 'Pay for the local authority search',
  explanation: 'We order it the same working day.',
  due_on: null,
  status: 'open',
  matter_id: 'matter',
  case_search_id: 'search',
  document_id: null,
  amount: 276_00,
  ...given,
});

export const sampleCase = (given: Partial<ConveyancingCase> = {}): ConveyancingCase => ({
  ...identity,
  id: 'case',
  reference: 'KT-2026-00421',
  title: 'Purchase of The Old Chapel',
  status: 'active',
  matters: [sampleMatter()],
  handlers: [
    { name: 'Rhian Morgan', role: 'Your conveyancer', phone: '0117 496 0101', email: 'rhian@example.test' },
  ],
  firm: {
    name: 'Alder & Finch Conveyancing',
    sra_number: '000000',
    phone: '0117 496 0100',
    address: ['12 Queen Square', 'Bristol'],
    opening_hours: 'Monday to Friday, 9:00 am to 5:30 pm',
  },
  tasks: [sampleTask()],
  unread_documents: 0,
  amount_due: 276_00,
  amount_paid: 0,
  ...given,
});

export const sampleClient = (given: Partial<Client> = {}): Client => ({
  ...identity,
  id: 'amelia',
  title: 'Ms',
  first_name: 'Amelia',
  last_name: 'Okafor',
  email: 'amelia@example.test',
  phone: null,
  conveyancing_case: sampleCase(),
  active_case: { id: 'case', reference: 'KT-2026-00421' },
  cases: [{ id: 'case', reference: 'KT-2026-00421', title: 'Purchase of The Old Chapel' }],
  ...given,
});

export const sampleHistoryEntry = (given: Partial<HistoryEntry> = {}): HistoryEntry => ({
  ...identity,
  id: 'entry',
  occurred_at: '2026-11-19T09:12:00.000Z',
  category: 'search',
  actor: 'Rhian Morgan',
  summary: 'Two searches are ready to pay',
  link: null,
  ...given,
});

export const samplePayment = (given: Partial<Payment> = {}): Payment => ({
  ...identity,
  id: 'payment',
  kind: 'search',
  status: 'requires_payment_method',
  amount: 276_00,
  currency: 'gbp',
  description: 'Local authority',
  category: 'search',
  reference: null,
  matter_id: 'matter',
  case_search_id: 'search',
  paid_at: null,
  receipt_number: null,
  lines: [
    {
      text: 'Local authority',
      net: 230_00,
      vat_rate: 20,
      vat: 46_00,
      gross: 276_00,
      client_money: true,
    },
  ],
  payer: { own_card: true, name: 'Amelia Okafor' },
  card: null,
  failure: null,
  refunded_amount: 0,
  ...given,
});
