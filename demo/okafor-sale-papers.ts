import { formatMoney } from '@keyturn/format/money';
import { alderRowSale, depositSources, rowsOf, saleProceeds, sumOf } from './figures.ts';
import { avonVale, bearFlatGlazing, privateLetterhead } from './letterheads.ts';
import { addresses, okaforFacts } from './our-references.ts';
import type { Paper } from './paper.ts';
import { transferOfWhole } from './transfer-of-whole.ts';

const sale = 'KT-2026-00421-S';
const alderRow = okaforFacts(addresses.alderRow);
const sellers = privateLetterhead('Amelia and Tom Okafor', addresses.alderRow);

/** The papers on the home that Amelia and Tom are selling. */
export const okaforSalePapers: Paper[] = [
  {
    reference: 'D-2030',
    matter: sale,
    group: 'client-care',
    title: 'Your sale, step by step',
    name: 'okafor-sale-steps',
    uploaded_by: 'Rhian Morgan',
    shared_at: '2026-10-12T09:45:00Z',
    content: {
      title: 'Your sale, step by step',
      facts: alderRow,
      sections: [
        {
          list: [
            'You fill in the forms about your home, and we download its title.',
            'We send the contract pack to the buyers’ lawyer, who asks questions. We answer them with your help.',
            'You sign the contract. You’re not committed yet.',
            'Everyone in the chain agrees on a moving date, and contracts are exchanged. From then on you’re legally bound to sell.',
            'On completion day we repay your mortgage, pay the estate agent and send you the rest. You hand over the keys.',
          ],
        },
        {
          heading: 'What we need from you',
          paragraphs: [
            'Tell us straight away if anything changes: your address, any new borrowing, or a letter from the council. Keep your home insured until completion.',
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2031',
    matter: sale,
    group: 'title',
    title: 'Plan of the shared drain',
    name: 'okafor-drain-plan',
    uploaded_by: 'Tom Okafor',
    shared_at: '2026-11-06T09:30:00Z',
    content: 'picture',
  },
  {
    reference: 'D-2032',
    matter: sale,
    group: 'property-forms',
    title: 'Your answers about your home',
    name: 'okafor-property-answers',
    uploaded_by: 'Tom Okafor',
    shared_at: '2026-10-21T18:40:00Z',
    content: {
      title: 'Answers about our home',
      letterhead: sellers,
      facts: [
        ['Property', addresses.alderRow],
        ['Sellers', 'Amelia Okafor and Tom Okafor'],
      ],
      sections: [
        {
          heading: 'Boundaries',
          table: [
            ['Left fence, facing the road', 'ours'],
            ['Right fence', 'the neighbours’'],
            ['Wall at the end of the garden', 'shared'],
          ],
        },
        {
          heading: 'Changes to the home',
          list: [
            'The garden room was built in 2018 under permitted development. It is 4 by 3 metres, and 2.4 metres high.',
            'The back windows were replaced in 2019. The certificate is with these answers.',
            'No walls have been removed.',
          ],
        },
        {
          heading: 'Neighbours',
          list: [
            'No disputes. We and number 16 had our shared drain cleared in 2023.',
            'No notices from the council or anyone else.',
          ],
        },
      ],
    },
  },
  fittings('D-2033', 'okafor-fittings-1', '2026-10-21T18:42:00Z', 'stays'),
  {
    ...fittings('D-2034', 'okafor-fittings-2', '2026-11-12T20:05:00Z', 'goes with us'),
    supersedes: 'D-2033',
  },
  {
    reference: 'D-2035',
    matter: sale,
    group: 'certificates',
    title: '2019 window certificate',
    name: 'okafor-windows',
    uploaded_by: 'Tom Okafor',
    shared_at: '2026-10-22T07:50:00Z',
    content: {
      title: 'Certificate and guarantee',
      letterhead: bearFlatGlazing,
      facts: [
        ['Date', '3 July 2019'],
        ['Customer', 'Mr and Mrs Okafor'],
        ['Property', addresses.alderRow],
      ],
      sections: [
        {
          table: [
            ['Installed', '5 windows, 1 door'],
            ['Where', 'back of the house'],
            ['Finished on', '3 July 2019'],
            ['Guarantee', '10 years'],
          ],
        },
        {
          paragraphs: [
            'We certify that this work meets the building regulations. We’ve notified the council of it through our self-certification scheme.',
            'The guarantee passes to the next owner of the house.',
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2036',
    matter: sale,
    group: 'contract',
    title: 'Contract pack for the buyers’ lawyer',
    name: 'okafor-contract-pack',
    uploaded_by: 'Rhian Morgan',
    shared_at: '2026-10-23T15:48:00Z',
    content: {
      title: 'What’s in the contract pack',
      facts: alderRow,
      sections: [
        {
          list: [
            'The draft contract and the draft transfer.',
            'Official copies of the register and its plan, dated {2026-10-14}.',
            'Your property forms, including the list of fittings and contents.',
            'The window certificate, and the energy performance certificate: band C, valid until 2031.',
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2037',
    matter: sale,
    group: 'enquiries',
    title: 'Letter from your neighbours Siobhán O’Brien and Paweł Łukasiewicz about the drain',
    name: 'okafor-neighbours',
    uploaded_by: 'Tom Okafor',
    shared_at: '2026-11-06T11:25:00Z',
    content: {
      title: 'Our shared drain',
      letterhead: privateLetterhead('Siobhán O’Brien', '16 Alder Row, Bath BA2 3HU'),
      facts: [
        ['Date', '{2026-11-05}'],
        ['To', 'the buyers of 14 Alder Row'],
      ],
      sections: [
        {
          paragraphs: [
            'We’ve lived at 16 Alder Row since 2011 and share a drain with number 14. It has been cleared twice in that time, in 2015 and 2023. We’ve always split the bill without any trouble, and we’re happy to do the same with you.',
            'No one has ever parked on the drain cover in the garden of number 14, and we’d like it to stay that way.',
          ],
        },
      ],
      signatures: [{ name: 'Siobhán O’Brien, for both of us', written: ['Siobhán O’Brien'] }],
    },
  },
  {
    reference: 'D-2038',
    matter: sale,
    group: 'enquiries',
    title: 'The buyers’ questions and our replies',
    name: 'okafor-buyers-questions',
    uploaded_by: 'Rhian Morgan',
    shared_at: '2026-11-06T16:30:00Z',
    content: {
      title: 'The buyers’ questions and our replies',
      facts: alderRow,
      sections: [
        [
          'Who owns the wall at the end of the garden?',
          'It’s shared. Both owners have maintained it since 1928.',
        ],
        ['Where does the shared drain run?', 'Please see the plan and the neighbours’ letter.'],
        [
          'Did the garden room need planning permission?',
          'No. It was permitted development. Your property forms give its size: 4 by 3 metres, and 2.4 metres high.',
        ],
        [
          'Is the stove in the garden room included?',
          'No. You’re taking it with you and will make good the opening.',
        ],
      ].map(([heading, answer]) => ({ heading: heading ?? '', paragraphs: [answer ?? ''] })),
    },
  },
  {
    reference: 'D-2039',
    matter: sale,
    group: 'mortgage',
    title: 'Mortgage redemption figure',
    name: 'okafor-redemption',
    uploaded_by: 'Avon Vale Building Society',
    shared_at: '2026-10-22T11:10:00Z',
    content: {
      title: 'Redemption statement',
      letterhead: avonVale,
      facts: [
        ['Borrowers', 'Amelia Okafor and Tom Okafor'],
        ['Mortgage account', '0000 0421'],
        ['Property', addresses.alderRow],
        ['Sent to', 'Alder & Finch Conveyancing, KT-2026-00421'],
      ],
      sections: [
        {
          heading: 'If you repay today',
          table: [
            ['Balance on {2026-10-22}', '£184,120.55'],
            ['Early repayment charge', '£0.00'],
            ['Account closing fee', '£85.00'],
            ['To repay on {2026-10-22}', '£184,205.55'],
          ],
        },
        {
          heading: 'If you repay later',
          paragraphs: [
            'Interest of £21.18 is added for each day after that. Please ask us for an exact figure for the day of repayment.',
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2040',
    matter: sale,
    group: 'money',
    title: 'Estimate of your sale proceeds',
    name: 'okafor-sale-estimate',
    uploaded_by: 'Joel Adeyemi',
    shared_at: '2026-11-13T15:40:00Z',
    content: {
      title: 'Estimate of your sale proceeds',
      facts: alderRow,
      sections: [
        {
          table: rowsOf([
            ['Sale price', alderRowSale.price],
            ['Avon Vale Building Society, approximately', -alderRowSale.redemption],
            ['Widcombe & Co, commission including VAT', -alderRowSale.commission],
            ['Our costs for your sale, including VAT', -sumOf(alderRowSale.costs)],
            ['Towards The Old Chapel, approximately', saleProceeds],
          ]),
        },
        {
          heading: 'The deposit',
          paragraphs: [
            `Your buyers pay ${formatMoney(alderRowSale.deposit)} of the price on exchange. ${depositSources} The seller’s solicitors hold the whole deposit as stakeholder until completion, so the rest of the price comes on that day.`,
          ],
        },
        {
          paragraphs: [
            'This is only an estimate. Before completion we’ll send you a completion statement with the exact figures.',
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2041',
    matter: sale,
    group: 'to-sign',
    title: 'Transfer of 14 Alder Row',
    name: 'okafor-transfer',
    uploaded_by: 'Rhian Morgan',
    shared_at: '2026-11-18T14:05:00Z',
    signing: 'deed',
    binds_on: 'completion',
    content: transferOfWhole({
      title: 'Transfer of 14 Alder Row',
      titleNumber: 'AV204417',
      property: addresses.alderRow,
      transferors: [{ name: 'Amelia Okafor' }, { name: 'Tom Okafor' }],
      transferees: ['Hannah Bell', 'Marcus Bell'],
      consideration: {
        words: 'three hundred and eighty-five thousand pounds',
        pence: alderRowSale.price,
      },
      covenant: 'the covenant of 1928 in the charges register of the title',
    }),
  },
];

function fittings(reference: string, name: string, shared_at: string, stove: string): Paper {
  return {
    reference,
    matter: sale,
    group: 'property-forms',
    title: 'Fittings and contents',
    name,
    uploaded_by: 'Tom Okafor',
    shared_at,
    content: {
      title: 'Fittings and contents',
      letterhead: sellers,
      facts: [['Property', addresses.alderRow]],
      sections: [
        {
          table: [
            ['Fitted kitchen, hob and oven', 'stays'],
            ['Fridge and washing machine', 'goes with us'],
            ['Stair carpets', 'stays'],
            ['Curtain poles', 'stays'],
            ['Wood-burning stove in the garden room', stove],
            ['Garden shed', 'stays'],
          ],
        },
      ],
    },
  };
}
