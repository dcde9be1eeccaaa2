import type { CaseFeed } from '@keyturn/contract';
import { wharfPurchase } from './figures.ts';
import { daniel } from './firm.ts';

const caseReference = 'KT-2026-00455';
const purchase = 'KT-2026-00455-P';

/** Priya: buying her first home, with a newly opened case. Most lists are empty. */
export const raman = {
  clients: [
    {
      reference: 'C-1088',
      title: 'Ms',
      first_name: 'Priya',
      last_name: 'Raman',
      email: 'priya@example.test',
      phone: '07700 900188',
      password: 'turn-the-key-2026',
    },
  ],
  cases: [
    {
      reference: caseReference,
      title: 'Purchase of Flat 6, 41 Wapping Wharf Lane',
      status: 'active',
      clients: ['C-1088'],
      // She signed our terms at our office.
      cancellation: 'none',
      handlers: [daniel],
    },
  ],
  matters: [
    {
      reference: purchase,
      case: caseReference,
      matter_type: 'purchase',
      status: 'active',
      property: {
        address_lines: ['Flat 6', '41 Wapping Wharf Lane'],
        town: 'Bristol',
        postcode: 'BS1 6XW',
        tenure: 'leasehold',
        title_number: null,
        price: wharfPurchase.price,
      },
      parties: [{ role: 'estate_agent', name: 'Harbourside Lettings & Sales', contact: '0117 496 0420' }],
      features: ['leasehold', 'higher_building'],
      milestones: [
        { key: 'instructed', status: 'done', reached_on: '2026-11-19' },
        {
          key: 'identity_checked',
          status: 'current',
          waiting_since: '2026-11-19',
          next_update_by: '2026-11-26',
        },
        { key: 'funds_checked', status: 'upcoming', expected_from: '2026-11-26', expected_to: '2026-12-08' },
        {
          key: 'contract_pack_received',
          status: 'upcoming',
          expected_from: '2026-11-30',
          expected_to: '2026-12-11',
        },
      ],
    },
  ],
  documents: [
    {
      reference: 'D-2101',
      matter: purchase,
      group: 'client-care',
      title: 'Our terms and costs',
      file: 'documents/raman-terms.pdf',
      uploaded_by: 'Daniel Finch',
      shared_at: '2026-11-19T15:30:00Z',
    },
  ],
  searches: [],
  tasks: [
    {
      reference: 'T-4101',
      case: caseReference,
      matter: purchase,
      kind: 'contact_us',
      title: 'Book your identity check',
      explanation:
        'Call us to choose a time. The check takes ten minutes. Have your passport or driving licence ready.',
      due_on: '2026-11-26',
      status: 'open',
    },
  ],
  bills: [],
  history: [
    {
      reference: 'H-6001',
      case: caseReference,
      occurred_at: '2026-11-19T15:30:00Z',
      category: 'case',
      actor: 'Daniel Finch',
      summary: 'We opened your case and sent you our terms',
    },
  ],
} satisfies Partial<CaseFeed>;
