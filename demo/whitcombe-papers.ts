import { type ContractOfSale, contractOfSale } from './contract-of-sale.ts';
import { harbourViewSale } from './figures.ts';
import { avonVale, kennElectrical, type Letterhead, privateLetterhead, yeoHeating } from './letterheads.ts';
import { addresses } from './our-references.ts';
import type { Paper } from './paper.ts';
import type { Letter } from './render-letter.ts';
import { transferOfWhole } from './transfer-of-whole.ts';
import { enquirySubjects } from './whitcombe-history.ts';

const facts: Letter['facts'] = [
  ['Our reference', 'KT-2025-00187'],
  ['Property', addresses.harbourView],
  ['Client', 'George Whitcombe'],
];

/** The papers of George's completed sale. Most document groups contain at least one. */
export const whitcombePapers: Paper[] = [
  paper(
    'D-1810',
    'identity-funds',
    'Your identity check',
    'whitcombe-identity',
    '2025-09-19T11:05:00Z',
    [
      {
        table: [
          ['Passport', 'seen in person'],
          ['Proof of address', 'council tax bill for this year'],
        ],
      },
    ],
    { for_client: 'C-0815' },
  ),
  paper('D-1811', 'title', 'The title to 3 Harbour View', 'whitcombe-title', '2025-09-22T09:40:00Z', [
    {
      heading: 'Ownership',
      paragraphs: ['You’ve been the sole owner since 4 August 1988. Your title is absolute.'],
    },
    {
      heading: 'What affects the property',
      list: [
        'A mortgage with Avon Vale Building Society.',
        'A 1931 covenant not to keep caravans there.',
        'A right of way to the slipway for the owners of numbers 1 to 9.',
      ],
    },
  ]),
  paper(
    'D-1812',
    'property-forms',
    'Your answers about your home',
    'whitcombe-property-answers',
    '2025-10-03T17:30:00Z',
    [
      {
        list: [
          'The 2004 extension had planning permission and was signed off.',
          'I own the solar panels. There is no lease.',
          'The sea wall levy was £64 last year.',
          'No disputes with anyone.',
        ],
      },
    ],
    by(privateLetterhead('George Whitcombe', addresses.harbourView), 'Answers about my home', [
      ['Property', addresses.harbourView],
    ]),
  ),
  paper(
    'D-1813',
    'certificates',
    '2021 electrical certificate',
    'whitcombe-wiring',
    '2025-10-03T17:34:00Z',
    [
      {
        table: [
          ['Condition of the installation', 'satisfactory'],
          ['Tested on', '12 May 2021'],
          ['Test again by', 'May 2031'],
        ],
      },
    ],
    by(kennElectrical, 'Electrical installation condition report', [
      ['Date', '12 May 2021'],
      ['Customer', 'Mr G. Whitcombe'],
      ['Property', addresses.harbourView],
      ['Tested by', 'Alan Reed'],
    ]),
  ),
  paper(
    'D-1814',
    'certificates',
    'Boiler service record',
    'whitcombe-boiler',
    '2025-11-03T08:15:00Z',
    [
      {
        table: [
          ['Serviced on', '{2025-09-09}'],
          ['Result', 'safe to use'],
        ],
      },
    ],
    by(yeoHeating, 'Service record', [
      ['Date', '{2025-09-09}'],
      ['Customer', 'Mr G. Whitcombe'],
      ['Property', addresses.harbourView],
    ]),
  ),
  paper('D-1815', 'contract', 'Draft contract', 'whitcombe-contract-1', '2025-10-10T14:20:00Z', [], {
    content: contract('Draft contract', { signatures: [{ name: 'George Whitcombe' }] }),
  }),
  paper('D-1816', 'contract', 'Exchanged contract', 'whitcombe-contract-2', '2026-06-12T15:55:00Z', [], {
    supersedes: 'D-1815',
    content: contract('Contract, the buyers’ part', {
      date: '{2026-06-12}',
      completion: '{2026-06-26}',
      signatures: ['Ines Carver', 'Paul Carver'].map((name) => ({ name, written: [name] })),
    }),
  }),
  paper(
    'D-1817',
    'enquiries',
    'The buyers’ questions, with the answers',
    'whitcombe-enquiries',
    '2026-04-24T16:10:00Z',
    enquirySubjects.map((subject, index) => ({
      heading: `${index + 1}. About ${subject}`,
      paragraphs: [
        index % 4 === 1
          ? 'You told us what you know and sent us documents, which we keep on file. The buyers were satisfied.'
          : 'You told us what you know, and we replied in writing. The buyers were satisfied.',
      ],
    })),
  ),
  paper(
    'D-1818',
    'mortgage',
    'Mortgage redemption figure',
    'whitcombe-redemption',
    '2025-10-08T10:25:00Z',
    [
      {
        table: [
          ['Balance on {2025-10-08}', '£101,877.40'],
          ['Early repayment charge', '£0.00'],
          ['Interest for each day after that', '£11.02'],
        ],
      },
    ],
    {
      ...by(avonVale, 'Redemption statement', [
        ['Borrower', 'George Whitcombe'],
        ['Mortgage account', '0000 0187'],
        ['Property', addresses.harbourView],
        ['Sent to', 'Alder & Finch Conveyancing, KT-2025-00187'],
      ]),
      uploaded_by: 'Avon Vale Building Society',
    },
  ),
  paper(
    'D-1819',
    'to-sign',
    'Transfer deed, signed by you',
    'whitcombe-transfer',
    '2026-05-15T12:00:00Z',
    [],
    {
      content: transferOfWhole({
        title: 'Transfer of 3 Harbour View',
        titleNumber: 'ST083155',
        property: addresses.harbourView,
        transferors: [
          {
            name: 'George Whitcombe',
            written: ['George Whitcombe', 'M. Ellis', 'MARGARET ELLIS, 5 Harbour View, teacher'],
          },
        ],
        transferees: ['Ines Carver', 'Paul Carver'],
        consideration: {
          words: 'four hundred and twelve thousand five hundred pounds',
          pence: harbourViewSale.price,
        },
        covenant: 'the covenant of 1931 in the charges register of the title',
      }),
    },
  ),
  paper(
    'D-1820',
    'reports',
    'Before exchange: what you’re committing to',
    'whitcombe-report',
    '2026-06-05T13:45:00Z',
    [
      {
        list: [
          'You must complete the sale and move out by 1:00 pm on {Friday 2026-06-26}.',
          'If you don’t, you’ll have to pay interest for each day of delay, and the buyers could sue you.',
          'The buyers could lose their deposit if they don’t pay.',
          'Keep your home insured until the keys are handed over.',
        ],
      },
    ],
  ),
  paper(
    'D-1821',
    'after-completion',
    'How long we keep your papers',
    'whitcombe-papers',
    '2026-07-17T11:00:00Z',
    [
      {
        paragraphs: [
          'Your case is closed. You can read your papers here for as long as we keep them.',
          'Keep the completion statement in case you need it for your tax return.',
        ],
      },
    ],
  ),
];

interface Overrides {
  for_client?: string;
  uploaded_by?: string;
  supersedes?: string;
  content?: Partial<Letter>;
}

function paper(
  reference: string,
  group: Paper['group'],
  title: string,
  name: string,
  shared_at: string,
  sections: Letter['sections'],
  { content, ...overrides }: Overrides = {},
): Paper {
  return {
    reference,
    matter: 'KT-2025-00187-S',
    group,
    title,
    name,
    uploaded_by: 'Sunita Rao',
    shared_at,
    content: { title, facts, sections, ...content },
    ...overrides,
  };
}

/** Returns the overrides of a paper that someone else wrote, and George sent us. */
function by(letterhead: Letterhead, title: string, ownFacts: Letter['facts']): Overrides {
  return { uploaded_by: 'George Whitcombe', content: { letterhead, title, facts: ownFacts } };
}

function contract(
  title: string,
  exchange: Pick<ContractOfSale, 'date' | 'completion' | 'signatures'>,
): Letter {
  return contractOfSale({
    title,
    reference: 'KT-2025-00187',
    seller: `George Whitcombe, of ${addresses.harbourView}`,
    buyer: 'Ines Carver and Paul Carver, of 2 Beech Drive, Nailsea BS48 1QA',
    property: addresses.harbourView,
    titleNumber: 'ST083155',
    incumbrances: [
      'the matters in the register, except the mortgage, which is repaid on completion',
      'the covenant of 1931 not to keep caravans',
      'the right of way to the slipway for the owners of numbers 1 to 9',
    ],
    price: harbourViewSale.price,
    deposit: harbourViewSale.deposit,
    depositTerms:
      'The seller’s conveyancer holds the deposit as stakeholder until completion, under condition 2.2.6.',
    contents: 'The seller owns the solar panels, which are included.',
    ...exchange,
  });
}
