import type { CaseFeed } from '@keyturn/contract';
import { billPapers, haleBills } from './bills.ts';
import { rhian } from './firm.ts';
import { toFeedDocument } from './paper.ts';

const haleCase = 'KT-2026-00437';
const halePurchase = 'KT-2026-00437-P';
const haddadCase = 'KT-2026-00449';
const haddadRemortgage = 'KT-2026-00449-R';

const refundUntilOrdered = 'Full refund until we order it. After that, the supplier’s fee can’t be refunded.';

/**
 * Two cases for the day of the firm’s staff: a promise that was missed and one for today, a search to order, a task that is
 * overdue and an unpaid bill. Each has a search to pay, with another right to cancel than Amelia and Tom’s.
 */
export const staffDay = {
  clients: [
    {
      reference: 'C-1071',
      title: 'Ms',
      first_name: 'Imogen',
      last_name: 'Hale',
      email: 'imogen@example.test',
      phone: '07700 900171',
      password: 'turn-the-key-2026',
    },
    {
      reference: 'C-1083',
      title: 'Mr',
      first_name: 'Yusuf',
      last_name: 'Haddad',
      email: 'yusuf@example.test',
      phone: '07700 900183',
      password: 'turn-the-key-2026',
    },
  ],
  cases: [
    {
      reference: haleCase,
      title: 'Purchase of 9 Weavers Mews',
      status: 'active',
      clients: ['C-1071'],
      // No one has recorded yet where she signed our terms.
      cancellation: 'unknown',
      handlers: [rhian],
    },
    {
      reference: haddadCase,
      title: 'Remortgage of 5 Mill Lane',
      status: 'active',
      clients: ['C-1083'],
      // He signed our terms at our office.
      cancellation: 'none',
      handlers: [rhian],
    },
  ],
  matters: [
    {
      reference: halePurchase,
      case: haleCase,
      matter_type: 'purchase',
      status: 'active',
      property: {
        address_lines: ['9 Weavers Mews'],
        town: 'Bradford-on-Avon',
        postcode: 'BA15 1QT',
        tenure: 'freehold',
        title_number: 'WT204518',
        price: 34_500_000,
      },
      target_completion_on: '2027-01-22',
      parties: [
        { role: 'other_side', name: 'Holt & Vine, for Malcolm Reeve', contact: '01225 496 071' },
        { role: 'estate_agent', name: 'Town Bridge Homes', contact: '01225 496 083' },
      ],
      milestones: [
        { key: 'instructed', status: 'done', reached_on: '2026-10-26' },
        { key: 'identity_checked', status: 'done', reached_on: '2026-10-29' },
        { key: 'funds_checked', status: 'done', reached_on: '2026-11-06' },
        {
          key: 'searches_paid',
          status: 'current',
          waiting_since: '2026-11-19',
          next_update_by: '2026-11-27',
        },
        { key: 'contract_pack_received', status: 'done', reached_on: '2026-11-10' },
        {
          key: 'searches_ordered',
          status: 'current',
          waiting_since: '2026-11-18',
          next_update_by: '2026-11-27',
        },
        { key: 'enquiries_raised', status: 'done', reached_on: '2026-11-12' },
        {
          key: 'enquiries_answered',
          status: 'current',
          waiting_since: '2026-11-12',
          next_update_by: '2026-11-19',
        },
        { key: 'exchanged', status: 'upcoming', expected_from: '2026-12-18', expected_to: '2027-01-13' },
      ],
    },
    {
      reference: haddadRemortgage,
      case: haddadCase,
      matter_type: 'remortgage',
      status: 'active',
      property: {
        address_lines: ['5 Mill Lane'],
        town: 'Keynsham',
        postcode: 'BS31 2AB',
        tenure: 'freehold',
        title_number: 'AV131907',
        price: null,
      },
      target_completion_on: '2026-12-18',
      parties: [{ role: 'lender', name: 'Severnside Bank', contact: null }],
      milestones: [
        { key: 'instructed', status: 'done', reached_on: '2026-11-09' },
        { key: 'identity_checked', status: 'done', reached_on: '2026-11-12' },
        { key: 'title_obtained', status: 'done', reached_on: '2026-11-13' },
        {
          key: 'mortgage_offer_received',
          status: 'current',
          waiting_since: '2026-11-16',
          next_update_by: '2026-11-23',
        },
        {
          key: 'searches_or_insurance',
          status: 'current',
          waiting_since: '2026-11-19',
          next_update_by: '2026-11-26',
        },
        { key: 'completed', status: 'upcoming', expected_from: '2026-12-14', expected_to: '2026-12-22' },
      ],
    },
  ],
  documents: billPapers.filter(({ matter }) => matter === halePurchase).map(toFeedDocument),
  searches: [
    {
      reference: 'S-3301',
      matter: halePurchase,
      code: 'CON29DW',
      name: 'Drainage and water search',
      supplier: 'Wessex Water',
      explanation: 'Your water supply and drainage, and any pipes under the property.',
      price: { net: 4_600, vat_rate: 20 },
      refund_rule: refundUntilOrdered,
      required_by: 'lender',
      status: 'paid',
      paid_at: '2026-11-18T16:20:00Z',
      expected_on: '2026-12-04',
    },
    {
      reference: 'S-3302',
      matter: halePurchase,
      code: 'FLOOD',
      name: 'Detailed flood report',
      supplier: 'Terrain Data',
      explanation: 'How likely the river is to flood the home, and how insurable it is likely to be.',
      price: { net: 4_000, vat_rate: 20 },
      refund_rule: refundUntilOrdered,
      required_by: 'firm',
      status: 'awaiting_payment',
      expected_on: '2026-12-03',
    },
    {
      reference: 'S-3303',
      matter: haddadRemortgage,
      code: 'CON29M',
      name: 'Coal mining search',
      supplier: 'Mining Remediation Authority',
      explanation: 'Whether there are old mine workings or shafts under or near the home.',
      price: { net: 4_500, vat_rate: 20 },
      refund_rule: refundUntilOrdered,
      required_by: 'lender',
      status: 'awaiting_payment',
      expected_on: '2026-12-01',
    },
  ],
  tasks: [
    {
      reference: 'T-4301',
      case: haleCase,
      matter: halePurchase,
      kind: 'contact_us',
      title: 'Call us about your buildings insurance',
      explanation: 'Your lender needs it to start on exchange. Call us with the name of your insurer.',
      due_on: '2026-11-18',
      status: 'open',
    },
    {
      reference: 'T-4302',
      case: haleCase,
      matter: halePurchase,
      search: 'S-3302',
      kind: 'pay_search',
      title: 'Pay for the detailed flood report',
      explanation: 'We order it once you’ve paid. The seller’s forms mention the river.',
      due_on: '2026-11-27',
      status: 'open',
    },
    {
      reference: 'T-4303',
      case: haddadCase,
      matter: haddadRemortgage,
      search: 'S-3303',
      kind: 'pay_search',
      title: 'Pay for the coal mining search',
      explanation: 'We order it once you’ve paid. Your new lender may require it.',
      due_on: '2026-11-26',
      status: 'open',
    },
  ],
  bills: haleBills,
  history: [
    ...history(haleCase, 'H-9', [
      ['2026-10-26T10:15:00Z', 'case', 'Rhian Morgan', 'We opened your case and sent you our terms'],
      ['2026-11-10T11:30:00Z', 'milestone', 'Holt & Vine', 'The contract pack for 9 Weavers Mews arrived'],
      ['2026-11-12T15:10:00Z', 'milestone', 'Rhian Morgan', 'We sent five questions to the seller’s lawyer'],
      [
        '2026-11-18T16:20:00Z',
        'payment',
        'Imogen Hale',
        'Imogen paid £55.20 for the drainage and water search',
      ],
      [
        '2026-11-19T11:05:00Z',
        'search',
        'Rhian Morgan',
        'A detailed flood report is ready for you to pay for',
      ],
    ]),
    ...history(haddadCase, 'H-91', [
      ['2026-11-09T09:50:00Z', 'case', 'Rhian Morgan', 'We opened your case and sent you our terms'],
      ['2026-11-13T12:40:00Z', 'milestone', 'Rhian Morgan', 'We checked the title to 5 Mill Lane'],
      ['2026-11-19T11:20:00Z', 'search', 'Rhian Morgan', 'A coal mining search is ready for you to pay for'],
    ]),
  ],
} satisfies Partial<CaseFeed>;

type Entry = readonly [string, 'case' | 'milestone' | 'payment' | 'search', string, string];

function history(caseReference: string, prefix: string, entries: readonly Entry[]) {
  return entries.map(([occurred_at, category, actor, summary], index) => ({
    reference: `${prefix}${String(index + 1).padStart(3, '0')}`,
    case: caseReference,
    occurred_at,
    category,
    actor,
    summary,
  }));
}
