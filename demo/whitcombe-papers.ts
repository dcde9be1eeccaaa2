import type { Paper } from './paper.ts';
import type { Letter } from './render-letter.ts';
import { enquirySubjects } from './whitcombe-history.ts';

const facts: Letter['facts'] = [
  ['Our reference', 'KT-2025-00187'],
  ['Property', '3 Harbour View, Clevedon BS21 7TQ'],
  ['Client', 'George Whitcombe'],
];

/** What is left of a sale that is over: most groups have something. */
export const whitcombePapers: Paper[] = [
  paper('D-1810', 'identity-funds', 'Your identity check', 'whitcombe-identity', '2025-09-19T11:05:00Z', [
    {
      table: [
        ['Passport', 'seen in person'],
        ['Address', 'council tax bill of April 2025'],
        ['Sanctions and warnings', 'none'],
      ],
    },
  ]),
  paper(
    'D-1811',
    'title',
    'What the title to 3 Harbour View says',
    'whitcombe-title',
    '2025-09-22T09:40:00Z',
    [
      {
        heading: 'Who owns it',
        paragraphs: ['You alone, since 4 August 1988. The title is absolute.'],
      },
      {
        heading: 'What binds it',
        list: [
          'A mortgage of Avon Vale Building Society.',
          'A promise of 1931 against caravans.',
          'A right of way to the slipway for the owners of numbers 1 to 9.',
        ],
      },
    ],
  ),
  paper(
    'D-1812',
    'property-forms',
    'Your answers about your home',
    'whitcombe-property-answers',
    '2025-10-03T17:30:00Z',
    [
      {
        list: [
          'The extension of 2004 was allowed and signed off.',
          'The solar panels are mine, without a lease.',
          'The sea wall levy was £64 last year.',
          'No disputes with anybody.',
        ],
      },
    ],
    { uploaded_by: 'George Whitcombe' },
  ),
  paper(
    'D-1813',
    'certificates',
    'Wiring certificate of 2021',
    'whitcombe-wiring',
    '2025-10-03T17:34:00Z',
    [
      {
        table: [
          ['Result', 'satisfactory'],
          ['Tested on', '12 May 2021'],
          ['Test again by', 'May 2031'],
        ],
      },
    ],
    { uploaded_by: 'George Whitcombe' },
  ),
  paper(
    'D-1814',
    'certificates',
    'Last service of the boiler',
    'whitcombe-boiler',
    '2025-11-03T08:15:00Z',
    [
      {
        table: [
          ['Serviced on', '9 September 2025'],
          ['Result', 'safe to use'],
        ],
      },
    ],
    { uploaded_by: 'George Whitcombe' },
  ),
  paper(
    'D-1815',
    'contract',
    'Draft contract',
    'whitcombe-contract-1',
    '2025-10-10T14:20:00Z',
    contract('open'),
  ),
  paper(
    'D-1816',
    'contract',
    'Contract as it was exchanged',
    'whitcombe-contract-2',
    '2026-06-12T15:55:00Z',
    contract('26 June 2026'),
    { supersedes: 'D-1815' },
  ),
  paper(
    'D-1817',
    'enquiries',
    "All of the buyers' questions, with the answers",
    'whitcombe-enquiries',
    '2026-04-24T16:10:00Z',
    enquirySubjects.map((subject, index) => ({
      heading: `${index + 1}. About ${subject}`,
      paragraphs: [
        index % 4 === 1
          ? 'You told us what you know, and sent a paper that shows it. The buyers read it and were satisfied. The paper lies with this file.'
          : 'You told us what you know, we put it in writing, and the buyers were satisfied. Nothing is left open.',
      ],
    })),
  ),
  paper(
    'D-1818',
    'mortgage',
    'What was left of your mortgage',
    'whitcombe-redemption',
    '2025-10-08T10:25:00Z',
    [
      {
        table: [
          ['Left on 8 October 2025', '£101,877.40'],
          ['For each day after that', '£11.02'],
          ['For leaving before the term', '£0.00'],
        ],
      },
    ],
  ),
  paper('D-1819', 'to-sign', 'Transfer, as you signed it', 'whitcombe-transfer', '2026-05-15T12:00:00Z', [
    {
      paragraphs: [
        'George Whitcombe transfers the property in title ST083155 to Ines Carver and Paul Carver with full title guarantee, on the day of completion.',
        'Signed as a deed on 15 May 2026 in the presence of a witness.',
      ],
    },
  ]),
  paper(
    'D-1820',
    'reports',
    'Before you exchanged: what it binds you to',
    'whitcombe-report',
    '2026-06-05T13:45:00Z',
    [
      {
        list: [
          'You sell on Friday 26 June 2026, and leave by 1:00 pm.',
          'If you do not, you pay interest for each day, and may be sued.',
          'The buyers lose their deposit if they do not pay.',
          'Keep the home insured until the keys are handed over.',
        ],
      },
    ],
  ),
  paper(
    'D-1821',
    'after-completion',
    'Your papers, and how long we keep them',
    'whitcombe-papers',
    '2026-07-17T11:00:00Z',
    [
      {
        paragraphs: [
          'Your case is closed. We keep its papers for fifteen years, and you can read them here for as long.',
          'Keep the completion statement for your tax return.',
        ],
      },
    ],
  ),
];

function paper(
  reference: string,
  group: Paper['group'],
  title: string,
  name: string,
  shared_at: string,
  sections: Letter['sections'],
  more: Partial<Paper> = {},
): Paper {
  return {
    reference,
    matter: 'KT-2025-00187-S',
    group,
    title,
    name,
    uploaded_by: 'Sunita Rao',
    shared_at,
    content: { title, facts, sections },
    ...more,
  };
}

function contract(completion: string): Letter['sections'] {
  return [
    {
      table: [
        ['Seller', 'George Whitcombe'],
        ['Buyers', 'Ines and Paul Carver'],
        ['Price', '£412,500.00'],
        ['Deposit', '£41,250.00'],
        ['Completion', completion],
      ],
    },
    {
      heading: 'What the property is subject to',
      list: ['the promise against caravans', 'the right of way to the slipway'],
    },
  ];
}
