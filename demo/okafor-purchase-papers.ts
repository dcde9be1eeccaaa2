import { okaforFacts } from './okafor-facts.ts';
import type { Paper } from './paper.ts';
import { drawNorthWall } from './pictures.ts';

const purchase = 'KT-2026-00421-P';
const chapel = okaforFacts('The Old Chapel, Priory Lane, Frome BA11 4QX');

/** What has gathered about the home that Amelia and Tom buy. */
export const okaforPurchasePapers: Paper[] = [
  {
    reference: 'D-2010',
    matter: purchase,
    group: 'identity-funds',
    title: 'Where your money comes from: what we checked',
    name: 'okafor-funds',
    uploaded_by: 'Joel Adeyemi',
    shared_at: '2026-10-27T09:15:00Z',
    content: {
      title: 'Where your money comes from',
      facts: chapel,
      sections: [
        {
          paragraphs: [
            'The law asks us to know who you are and where the money for your home comes from. This is what we looked at, and what we keep.',
          ],
          table: [
            ['From the sale of 14 Alder Row, after the mortgage', '£191,400.00'],
            ['Loan from Mendip & Vale Building Society', '£312,000.00'],
            ['Savings of Amelia Okafor', '£16,600.00'],
            ['Together', '£520,000.00'],
          ],
        },
        {
          heading: 'What we saw',
          list: [
            'Six months of statements of the savings account, with the salary that built it up.',
            'Passports of both of you, checked in person on 15 October.',
            'A council tax bill that shows where you live.',
          ],
        },
        { paragraphs: ['Nothing more is needed, unless the money comes from somewhere else after all.'] },
      ],
    },
  },
  {
    reference: 'D-2011',
    matter: purchase,
    group: 'property-forms',
    title: 'What the seller says about the home',
    name: 'okafor-seller-forms',
    uploaded_by: 'Rhian Morgan',
    shared_at: '2026-11-05T10:00:00Z',
    content: {
      title: 'What the seller says about the home',
      facts: chapel,
      sections: [
        {
          paragraphs: [
            'Edith Farrow has filled in the forms that every seller is asked to fill in. We read them for you; this is what matters.',
          ],
        },
        {
          heading: 'The home',
          list: [
            'She has lived there since 1996. The chapel was made into a home two years before.',
            'The boiler is of 2019 and was serviced last in March.',
            'Foul water goes to the public sewer, rain to a soakaway in the yard.',
          ],
        },
        {
          heading: 'Neighbours and disputes',
          list: ['None with any neighbour.', 'She pays a quarter of the cost of Priory Lane, £88 last year.'],
        },
        {
          heading: 'What stays',
          list: [
            'the range cooker and the oak shelves in the vestry',
            'all curtains but those in the gallery',
            'the bell, which belongs to the building',
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2012',
    matter: purchase,
    group: 'certificates',
    title: 'Listed-building consent of 1994',
    name: 'okafor-consent',
    uploaded_by: 'Rhian Morgan',
    shared_at: '2026-11-11T16:40:00Z',
    content: {
      title: 'Listed-building consent of 1994',
      facts: chapel,
      sections: [
        {
          heading: 'What the council allowed',
          list: [
            'a floor across the west end, for a gallery and two bedrooms',
            'four roof lights on the north slope, flush with the slates',
            'a door in place of the vestry window',
          ],
        },
        {
          heading: 'What to look out for',
          paragraphs: [
            'The plan shows four roof lights; there are five. We asked the seller about the fifth. Whoever owns the building answers for it, whoever put it in.',
          ],
        },
      ],
    },
  },
  contract('D-2013', 'okafor-purchase-contract-1', '2026-11-04T12:10:00Z', 'Friday 8 January 2027', [
    'The seller takes the bell.',
  ]),
  {
    ...contract('D-2014', 'okafor-purchase-contract-2', '2026-11-17T16:45:00Z', 'Friday 29 January 2027', [
      'The bell stays.',
      'The seller gives an indemnity policy for the fifth roof light.',
    ]),
    supersedes: 'D-2013',
  },
  {
    reference: 'D-2015',
    matter: purchase,
    group: 'enquiries',
    title: "Our seven questions to the seller's lawyer",
    name: 'okafor-enquiries',
    uploaded_by: 'Rhian Morgan',
    shared_at: '2026-11-12T10:05:00Z',
    content: {
      title: "Our seven questions to the seller's lawyer",
      facts: chapel,
      sections: [
        {
          list: [
            '1. Who has paid for Priory Lane in the last three years, and how much?',
            '2. Was the consent of 1994 followed, and where is the paper that says so?',
            '3. When was the fifth roof light put in, and by whom?',
            '4. Where does the parish come in to tend the graves, and on which days?',
            '5. Has the damp at the north wall been treated, and is there a guarantee?',
            '6. Does the electricity certificate cover the gallery?',
            '7. May we see the last chimney sweep’s note?',
          ],
        },
        {
          heading: 'What happens now',
          paragraphs: [
            "The seller's lawyer usually takes ten to fifteen working days. We tell you what the answers mean as they come in.",
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2016',
    matter: purchase,
    group: 'survey',
    title: 'Survey: what the surveyor found',
    name: 'okafor-survey',
    uploaded_by: 'Amelia Okafor',
    shared_at: '2026-11-09T19:20:00Z',
    content: {
      title: 'What the surveyor found',
      facts: [...chapel, ['Surveyor', 'Nunney Surveys, who were there on 6 November']],
      sections: [
        {
          heading: 'In short',
          paragraphs: [
            'A sound building that has been looked after. Two things want doing in the first year, and one wants watching.',
          ],
          table: [
            ['Roof and gutters', 'Attention'],
            ['North wall', 'Attention'],
            ['Floors and gallery', 'Good'],
            ['Windows', 'Watch'],
            ['Heating', 'Good'],
            ['Electricity', 'Not tested'],
          ],
        },
        {
          heading: 'The north wall',
          paragraphs: [
            'The wall is damp to about a metre where the gutter above it is broken (see the photograph). Mend the gutter, then let the wall dry for a summer before anything is plastered. Lime, not cement.',
          ],
        },
        {
          heading: 'The gutter',
          paragraphs: [
            'Four metres of cast iron and one hopper. It cannot be reached without a scaffold, and the work needs no consent when it is like for like.',
          ],
        },
        {
          heading: 'The windows',
          paragraphs: [
            'The leading bows in two of the eight lights. It may stay so for years. Look again after a hard winter.',
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2017',
    matter: purchase,
    group: 'survey',
    title: 'Survey photograph: damp at the north wall',
    name: 'okafor-north-wall',
    uploaded_by: 'Amelia Okafor',
    shared_at: '2026-11-09T19:22:00Z',
    content: drawNorthWall,
  },
  {
    reference: 'D-2018',
    matter: purchase,
    group: 'to-sign',
    title: 'Deed of how you own The Old Chapel',
    name: 'okafor-trust-deed',
    uploaded_by: 'Rhian Morgan',
    shared_at: '2026-11-19T15:10:00Z',
    signature_required: true,
    content: {
      title: 'Deed of how you own the home',
      facts: chapel,
      sections: [
        {
          paragraphs: [
            'Amelia Okafor and Tom Okafor buy The Old Chapel together and agree here how they own it between them. The lender and the seller are not bound by it.',
          ],
        },
        {
          heading: '1. The shares',
          paragraphs: [
            'They own it as tenants in common: 55 of 100 parts belong to Amelia Okafor and 45 to Tom Okafor, as their money went into it.',
          ],
        },
        {
          heading: '2. What is paid later',
          paragraphs: [
            'They pay the mortgage in equal halves. A repair of more than £2,000 is paid in the shares of clause 1.',
          ],
        },
        {
          heading: '3. If one of them wants to sell',
          paragraphs: [
            'They offer their share to the other first, at a price that a surveyor sets whom both have chosen. The other has three months to say yes.',
          ],
        },
        {
          heading: '4. If one of them dies',
          paragraphs: ['Their share goes by their will, not to the other by itself.'],
        },
      ],
      signatures: ['Amelia Okafor', 'Tom Okafor'],
    },
  },
];

function contract(
  reference: string,
  name: string,
  shared_at: string,
  completion: string,
  special: string[],
): Paper {
  return {
    reference,
    matter: purchase,
    group: 'contract',
    title: 'Draft contract for The Old Chapel',
    name,
    uploaded_by: 'Quill & Marsh Solicitors',
    shared_at,
    content: {
      title: 'Draft contract',
      facts: [
        ['Our reference', 'KT-2026-00421'],
        ['Property', 'The Old Chapel, Priory Lane, Frome BA11 4QX, freehold'],
        ['Seller', 'Edith Farrow'],
        ['Buyer', 'Amelia Okafor and Tom Okafor'],
        ['Price', '£520,000.00'],
        ['Deposit', '£52,000.00'],
        ['Completion', `not before ${completion}`],
      ],
      sections: [
        {
          heading: '1. What is sold',
          paragraphs: [
            'The seller sells and the buyer buys the whole of the freehold property in title WS118204, with full title guarantee and with vacant possession.',
          ],
        },
        {
          heading: '2. The deposit',
          paragraphs: ["The buyer pays it on exchange. The seller's conveyancer holds it as stakeholder."],
        },
        {
          heading: '3. What the property is subject to',
          list: [
            'the promise to use it as one private home',
            'the right of the parish to walk along the south wall twice a year',
            'a quarter of the cost of keeping Priory Lane',
          ],
        },
        { heading: '4. Special conditions', list: special },
      ],
    },
  };
}
