import { contractOfSale } from './contract-of-sale.ts';
import {
  alderRowSale,
  chapelPurchase,
  contributions,
  depositGap,
  moneyLeftOver,
  purchaseCosts,
  rowsOf,
  saleProceeds,
  shares,
} from './figures.ts';
import { mendipCouncil, nunneySurveys, quillAndMarsh } from './letterheads.ts';
import { addresses, okaforFacts } from './our-references.ts';
import type { Paper } from './paper.ts';

const purchase = 'KT-2026-00421-P';
const chapel = okaforFacts(addresses.chapel);

/** The papers on the home that Amelia and Tom are buying. */
export const okaforPurchasePapers: Paper[] = [
  {
    reference: 'D-2010',
    matter: purchase,
    group: 'identity-funds',
    // Amelia’s savings are hers.
    for_client: 'C-1042',
    title: 'Source of funds: what we checked',
    name: 'okafor-funds',
    uploaded_by: 'Joel Adeyemi',
    shared_at: '2026-10-27T09:15:00Z',
    content: {
      title: 'Source of funds: what we checked',
      facts: chapel,
      sections: [
        {
          paragraphs: [
            'The law requires us to check who you are and where the money for your new home comes from. This is what we checked and what we keep on file.',
          ],
          table: rowsOf(
            [
              ['From the sale of 14 Alder Row, after the mortgage and its costs (estimate)', saleProceeds],
              ['Loan that you plan, from Mendip & Vale Building Society', chapelPurchase.loan],
              ['Amelia Okafor’s savings', chapelPurchase.savings],
            ],
            'Total',
          ),
        },
        {
          heading: 'What it has to pay for',
          table: rowsOf(
            [
              ['The price of The Old Chapel', chapelPurchase.price],
              ['Stamp Duty Land Tax', chapelPurchase.stampDuty],
              ['Our fees, the searches and HM Land Registry, including VAT', purchaseCosts],
              ['Left over, for changes in these estimates', moneyLeftOver],
            ],
            'Total',
          ),
        },
        {
          heading: 'The deposit on exchange',
          table: rowsOf(
            [
              ['Deposit that your buyers pay on exchange', alderRowSale.deposit],
              ['From Amelia Okafor’s savings', depositGap],
            ],
            'Deposit for The Old Chapel',
          ),
          paragraphs: [
            'Your sale contract lets you use your buyers’ deposit for this. The seller’s solicitors hold the whole deposit as stakeholder until completion. We need the savings by bank transfer before we exchange.',
          ],
        },
        {
          heading: 'The evidence we saw',
          list: [
            'Six months of savings account statements, showing the salary that built up the savings.',
            'Both of your passports, checked in person on {2026-10-15}.',
            'A council tax bill as proof of your address.',
          ],
        },
        {
          paragraphs: [
            'We don’t need anything else at present. Tell us if any of the money will come from a different source.',
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2011',
    matter: purchase,
    group: 'property-forms',
    title: 'Summary of the seller’s property forms',
    name: 'okafor-seller-forms',
    uploaded_by: 'Rhian Morgan',
    shared_at: '2026-11-05T10:00:00Z',
    content: {
      title: 'Summary of the seller’s property forms',
      facts: chapel,
      sections: [
        {
          paragraphs: [
            'Edith Farrow has completed the standard forms for sellers. We’ve read them for you, and these are the main points.',
          ],
        },
        {
          heading: 'The home',
          list: [
            'She has lived there since 1996. The chapel was converted into a home two years earlier.',
            'The boiler dates from 2019 and was last serviced in March.',
            'Foul water goes to the public sewer, and rainwater to a soakaway in the yard.',
          ],
        },
        {
          heading: 'Neighbours and disputes',
          list: [
            'No disputes with any neighbour.',
            'She pays a quarter of the cost of Priory Lane, which was £88 last year.',
          ],
        },
        {
          heading: 'What the seller is leaving',
          list: [
            'the range cooker and the oak shelves in the vestry',
            'all the curtains except those in the gallery',
            'the bell, which is part of the building',
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2012',
    matter: purchase,
    group: 'certificates',
    title: '1994 listed building consent',
    name: 'okafor-consent',
    uploaded_by: 'Rhian Morgan',
    shared_at: '2026-11-11T16:40:00Z',
    content: {
      title: 'Listed building consent',
      letterhead: mendipCouncil,
      facts: [
        ['Date', '9 February 1994'],
        ['Reference', '94/0000/LBC'],
        ['Applicant', 'Mr R. Farrow'],
        ['Building', 'The Old Chapel, Priory Lane, Frome (listed, grade II)'],
      ],
      sections: [
        {
          paragraphs: [
            'The Council grants consent under the Planning (Listed Buildings and Conservation Areas) Act 1990 for the works below, as shown on drawings 2 to 5 that came with the application.',
          ],
        },
        {
          heading: 'The works',
          list: [
            'a floor across the west end, for a gallery and two bedrooms',
            'four roof lights on the north slope, flush with the slates',
            'a door in place of the vestry window',
          ],
        },
        {
          heading: 'Conditions',
          list: [
            'The works shall start within five years from the date of this consent.',
            'New stonework, slates and lime mortar shall match those of the building.',
          ],
        },
      ],
    },
  },
  contract('D-2013', 'okafor-purchase-contract-1', '2026-11-04T12:10:00Z', [
    'The seller will remove the bell.',
  ]),
  {
    ...contract('D-2014', 'okafor-purchase-contract-2', '2026-11-17T16:45:00Z', [
      'The bell is included in the sale.',
      'The seller will provide an indemnity insurance policy for the fifth roof light.',
    ]),
    supersedes: 'D-2013',
  },
  {
    reference: 'D-2015',
    matter: purchase,
    group: 'enquiries',
    title: 'Our seven questions for the seller’s lawyer',
    name: 'okafor-enquiries',
    uploaded_by: 'Rhian Morgan',
    shared_at: '2026-11-12T10:05:00Z',
    content: {
      title: 'Our seven questions for the seller’s lawyer',
      facts: chapel,
      sections: [
        {
          list: [
            '1. Who has paid for Priory Lane in the last three years, and how much?',
            '2. Was the work carried out as the 1994 consent required, and can you send us evidence of this?',
            '3. When was the fifth roof light put in, and by whom?',
            '4. Where does the parish enter to tend the graves, and on which days?',
            '5. Has the damp in the north wall been treated, and is there a guarantee?',
            '6. Does the electrical certificate cover the gallery?',
            '7. Can you send us the last chimney sweep’s certificate?',
          ],
        },
        {
          heading: 'What happens next',
          paragraphs: [
            'The seller’s lawyer usually takes 10 to 15 working days to reply. We’ll explain the answers as they arrive.',
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2016',
    matter: purchase,
    group: 'survey',
    title: 'Your survey: main findings',
    name: 'okafor-survey',
    uploaded_by: 'Amelia Okafor',
    shared_at: '2026-11-09T19:20:00Z',
    content: {
      title: 'Survey: main findings',
      letterhead: nunneySurveys,
      facts: [
        ['Client', 'Amelia Okafor and Tom Okafor'],
        ['Property', addresses.chapel],
        ['Visited on', '{2026-11-06}'],
        ['Surveyor', 'Gwen Bishop'],
      ],
      sections: [
        {
          heading: 'Summary',
          paragraphs: [
            'A sound building that has been well looked after. Two repairs are needed in the first year, and one item should be monitored.',
          ],
          table: [
            ['Roof and gutters', 'Repair'],
            ['North wall', 'Repair'],
            ['Floors and gallery', 'Good'],
            ['Windows', 'Monitor'],
            ['Heating', 'Good'],
            ['Electrics', 'Not tested'],
          ],
        },
        {
          heading: 'The north wall',
          paragraphs: [
            'The wall is damp to a height of about one metre, below a broken gutter (see the photograph). Repair the gutter, then let the wall dry for a summer before any plastering. Use lime plaster, not cement.',
          ],
        },
        {
          heading: 'The gutter',
          paragraphs: [
            'Four metres of cast-iron gutter and one hopper need replacing. The work needs scaffolding, but no consent if the replacement is like for like.',
          ],
        },
        {
          heading: 'The windows',
          paragraphs: [
            'The leading is bowed in two of the eight windows. It may not get worse for years. Check it again after a hard winter.',
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2017',
    matter: purchase,
    group: 'survey',
    title: 'Survey photograph: damp on the north wall',
    name: 'okafor-north-wall',
    uploaded_by: 'Amelia Okafor',
    shared_at: '2026-11-09T19:22:00Z',
    content: 'picture',
  },
  {
    reference: 'D-2018',
    matter: purchase,
    group: 'to-sign',
    title: 'Declaration of trust for The Old Chapel',
    name: 'okafor-declaration-of-trust',
    uploaded_by: 'Rhian Morgan',
    shared_at: '2026-11-19T15:10:00Z',
    signing: 'simple',
    binds_on: 'completion',
    content: {
      title: 'Declaration of trust',
      facts: [['Date', 'written in by us on completion'], ...chapel],
      sections: [
        {
          paragraphs: [
            'Amelia Okafor and Tom Okafor are buying The Old Chapel together. This declaration records how they own it between them. It takes effect on completion. It does not bind the lender or the seller.',
          ],
        },
        {
          heading: '1. The shares',
          paragraphs: [
            `They hold the property on trust for themselves as tenants in common, ${shares.amelia} for Amelia Okafor and ${shares.tom} for Tom Okafor, in proportion to the money that each puts in besides the mortgage:`,
          ],
          table: rowsOf(
            [
              ['Amelia Okafor: half of the money from 14 Alder Row, and her savings', contributions.amelia],
              ['Tom Okafor: half of the money from 14 Alder Row', contributions.tom],
            ],
            'Total',
          ),
        },
        {
          heading: '2. Mortgage and repairs',
          paragraphs: [
            'They pay the mortgage in equal halves. They pay for any repair costing more than £2,000 in the shares in clause 1.',
          ],
        },
        {
          heading: '3. If one of them wants to sell',
          paragraphs: [
            'The owner who wants to sell must first offer their share to the other, at a price set by a surveyor they have chosen together. The other has three months to accept.',
          ],
        },
        {
          heading: '4. If one of them dies',
          paragraphs: [
            'Their share passes under their will, or under the rules of intestacy. It does not pass automatically to the other owner.',
          ],
        },
      ],
      signatures: [{ name: 'Amelia Okafor' }, { name: 'Tom Okafor' }],
    },
  },
];

function contract(reference: string, name: string, shared_at: string, otherTerms: string[]): Paper {
  return {
    reference,
    matter: purchase,
    group: 'contract',
    title: 'Draft contract for The Old Chapel',
    name,
    uploaded_by: 'Quill & Marsh Solicitors',
    shared_at,
    content: contractOfSale({
      title: 'Draft contract',
      letterhead: quillAndMarsh,
      reference: 'HQ/FARROW/2290',
      seller: `Edith Farrow, of ${addresses.chapel}`,
      buyer: `Amelia Okafor and Tom Okafor, of ${addresses.alderRow}`,
      property: addresses.chapel,
      titleNumber: 'WS118204',
      incumbrances: [
        'the covenant to use the property only as one private home',
        'the right of the parish to walk along the south wall twice a year',
        'the duty to pay a quarter of the cost of maintaining Priory Lane',
      ],
      price: chapelPurchase.price,
      deposit: chapelPurchase.deposit,
      depositTerms:
        'The seller is not buying another home with the deposit. The seller’s conveyancer holds all of it as stakeholder until completion, under condition 2.2.6.',
      contents: 'The range cooker and the oak shelves in the vestry are included.',
      otherTerms,
      signatures: [{ name: 'Edith Farrow' }],
    }),
  };
}
