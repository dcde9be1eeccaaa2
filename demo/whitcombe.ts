import type { CaseFeed } from '@keyturn/contract';
import { billPapers, whitcombeBills } from './bills.ts';
import { harbourViewSale } from './figures.ts';
import { sunita } from './firm.ts';
import { toFeedDocument } from './paper.ts';
import { whitcombeSaleHistory } from './whitcombe-history.ts';
import { whitcombePapers } from './whitcombe-papers.ts';

const saleCase = 'KT-2025-00187';
const sale = 'KT-2025-00187-S';
const remortgageCase = 'KT-2026-00398';
const remortgage = 'KT-2026-00398-R';
/** George: a completed sale with a long history, and a remortgage under way. */
export const whitcombe = {
  clients: [
    {
      reference: 'C-0815',
      title: 'Mr',
      first_name: 'George',
      last_name: 'Whitcombe',
      email: 'george@example.test',
      phone: '07700 900815',
      password: 'turn-the-key-2026',
    },
  ],
  cases: [
    {
      reference: saleCase,
      title: 'Sale of 3 Harbour View',
      status: 'completed',
      clients: ['C-0815'],
      handlers: [sunita],
    },
    {
      reference: remortgageCase,
      title: 'Remortgage of 22 Orchard Close',
      status: 'active',
      clients: ['C-0815'],
      handlers: [sunita],
    },
  ],
  matters: [
    {
      reference: sale,
      case: saleCase,
      matter_type: 'sale',
      status: 'completed',
      property: {
        address_lines: ['3 Harbour View'],
        town: 'Clevedon',
        postcode: 'BS21 7TQ',
        tenure: 'freehold',
        title_number: 'ST083155',
        price: harbourViewSale.price,
      },
      exchanged_on: '2026-06-12',
      completed_on: '2026-06-26',
      parties: [
        { role: 'other_side', name: 'Marsh & Teal, for Ines and Paul Carver', contact: '01275 496 018' },
        { role: 'estate_agent', name: 'Clevedon Homes', contact: '01275 496 031' },
        { role: 'lender', name: 'Avon Vale Building Society', contact: null },
      ],
      milestones: [
        { key: 'instructed', status: 'done', reached_on: '2025-09-15' },
        { key: 'identity_checked', status: 'done', reached_on: '2025-09-19' },
        { key: 'property_forms', status: 'done', reached_on: '2025-10-03' },
        { key: 'title_obtained', status: 'done', reached_on: '2025-09-22' },
        { key: 'leasehold_pack_ordered', status: 'not_needed' },
        { key: 'redemption_figure', status: 'done', reached_on: '2025-10-08' },
        { key: 'contract_pack_sent', status: 'done', reached_on: '2025-10-10' },
        { key: 'buyer_enquiries', status: 'done', reached_on: '2025-11-14' },
        { key: 'enquiries_answered', status: 'done', reached_on: '2026-04-24' },
        { key: 'documents_signed', status: 'done', reached_on: '2026-05-15' },
        { key: 'completion_date_agreed', status: 'done', reached_on: '2026-06-05' },
        { key: 'exchanged', status: 'done', reached_on: '2026-06-12' },
        { key: 'completion_statement', status: 'done', reached_on: '2026-06-19' },
        { key: 'completed', status: 'done', reached_on: '2026-06-26' },
        { key: 'mortgage_repaid_proceeds_paid', status: 'done', reached_on: '2026-06-26' },
        { key: 'closed', status: 'done', reached_on: '2026-07-17' },
      ],
    },
    {
      reference: remortgage,
      case: remortgageCase,
      matter_type: 'remortgage',
      status: 'active',
      property: {
        address_lines: ['22 Orchard Close'],
        town: 'Portishead',
        postcode: 'BS20 6PR',
        tenure: 'freehold',
        title_number: 'ST219460',
        price: null,
      },
      target_completion_on: '2026-12-11',
      parties: [
        { role: 'lender', name: 'Severnside Bank', contact: null },
        { role: 'broker', name: 'Gordano Mortgages', contact: '01275 496 044' },
      ],
      milestones: [
        { key: 'instructed', status: 'done', reached_on: '2026-10-05' },
        { key: 'identity_checked', status: 'done', reached_on: '2026-10-07' },
        { key: 'title_obtained', status: 'done', reached_on: '2026-10-09' },
        { key: 'redemption_statement', status: 'done', reached_on: '2026-10-19' },
        { key: 'mortgage_offer_received', status: 'done', reached_on: '2026-11-13' },
        {
          key: 'searches_or_insurance',
          status: 'current',
          waiting_since: '2026-11-16',
          usual_working_days: { from: 3, to: 6 },
          next_update_by: '2026-11-24',
        },
        { key: 'deed_signed', status: 'upcoming', expected_from: '2026-11-25', expected_to: '2026-12-01' },
        { key: 'completed', status: 'upcoming', expected_from: '2026-12-07', expected_to: '2026-12-14' },
      ],
    },
  ],
  documents: [
    document(
      'D-1801',
      sale,
      'client-care',
      'Our terms and costs',
      'whitcombe-sale-terms',
      '2025-09-15T10:00:00Z',
    ),
    document(
      'D-1802',
      sale,
      'money',
      'Completion statement',
      'whitcombe-completion-statement',
      '2026-06-19T14:30:00Z',
    ),
    document(
      'D-1803',
      sale,
      'after-completion',
      'Proof that your mortgage is repaid',
      'whitcombe-proof-of-repayment',
      '2026-07-15T09:30:00Z',
    ),
    document(
      'D-2201',
      remortgage,
      'client-care',
      'Our terms and costs',
      'whitcombe-remortgage-terms',
      '2026-10-05T11:20:00Z',
    ),
    document(
      'D-2202',
      remortgage,
      'mortgage',
      'Summary of your new mortgage offer',
      'whitcombe-remortgage-offer',
      '2026-11-13T16:05:00Z',
    ),
    ...whitcombePapers.map(toFeedDocument),
    ...billPapers.filter(({ matter }) => [sale, remortgage].includes(matter)).map(toFeedDocument),
  ],
  searches: [
    {
      reference: 'S-3201',
      matter: remortgage,
      code: 'LA_REG',
      name: 'Local search for your new lender',
      supplier: 'Severn Searches',
      explanation: 'Your new lender needs to know what’s on the council’s records.',
      price: { net: 9_500, vat_rate: 20 },
      refund_rule: 'You don’t pay for this search. Our fee includes it.',
      required_by: 'lender',
      status: 'ordered',
      ordered_at: '2026-11-16T09:25:00Z',
      expected_on: '2026-11-25',
    },
  ],
  tasks: [],
  bills: whitcombeBills,
  history: [
    ...whitcombeSaleHistory(saleCase),
    ...(
      [
        ['2026-10-05T11:20:00Z', 'case', 'Sunita Rao', 'We opened your case and sent you our terms'],
        ['2026-10-07T14:10:00Z', 'milestone', 'Sunita Rao', 'We checked your identity'],
        ['2026-10-09T10:45:00Z', 'milestone', 'Sunita Rao', 'We checked the title to 22 Orchard Close'],
        [
          '2026-10-19T12:15:00Z',
          'milestone',
          'Avon Vale Building Society',
          'Your current lender sent us the mortgage redemption figure',
        ],
        ['2026-11-06T15:10:00Z', 'payment', 'Sunita Rao', 'We sent you our interim bill 26398-0 for £150.00'],
        [
          '2026-11-13T16:05:00Z',
          'document',
          'Sunita Rao',
          'We received your new mortgage offer and shared a summary',
        ],
        ['2026-11-16T09:25:00Z', 'search', 'Sunita Rao', 'We ordered the local search for your new lender'],
        [
          '2026-11-17T10:20:00Z',
          'payment',
          'Sunita Rao',
          'We sent you our bill 26398-1 for £594.00, due on completion',
        ],
      ] as const
    ).map(([occurred_at, category, actor, summary], index) => ({
      reference: `H-8${String(index + 1).padStart(3, '0')}`,
      case: remortgageCase,
      occurred_at,
      category,
      actor,
      summary,
    })),
  ],
} satisfies Partial<CaseFeed>;

function document<const Group extends string>(
  reference: string,
  matter: string,
  group: Group,
  title: string,
  name: string,
  shared_at: string,
) {
  return {
    reference,
    matter,
    group,
    title,
    file: `documents/${name}.pdf`,
    uploaded_by: 'Sunita Rao',
    shared_at,
  };
}
