import { okaforFacts } from './okafor-facts.ts';
import type { Paper } from './paper.ts';
import { drawSharedDrain } from './pictures.ts';

const sale = 'KT-2026-00421-S';
const alderRow = okaforFacts('14 Alder Row, Bath BA2 3HU');

/** What has gathered about the home that they sell. */
export const okaforSalePapers: Paper[] = [
  {
    reference: 'D-2030',
    matter: sale,
    group: 'client-care',
    title: 'How your sale goes, step by step',
    name: 'okafor-sale-steps',
    uploaded_by: 'Rhian Morgan',
    shared_at: '2026-10-12T09:45:00Z',
    content: {
      title: 'How your sale goes, step by step',
      facts: alderRow,
      sections: [
        {
          list: [
            'You fill in the forms about your home, and we get its title.',
            "We send the contract pack to the buyers' lawyer, who asks questions. We answer them with you.",
            'You sign the contract. This does not bind you yet.',
            'Everyone in the chain agrees on a day, and contracts are exchanged. Now you are bound.',
            'On the day we repay your mortgage, pay the agent, and send you the rest. You hand over the keys.',
          ],
        },
        {
          heading: 'What we ask of you',
          paragraphs: [
            'Tell us at once when something changes: a new address, a loan on the car in the drive, a letter from the council. Leave your home insured until completion.',
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2031',
    matter: sale,
    group: 'title',
    title: 'Plan: where the shared drain runs',
    name: 'okafor-drain-plan',
    uploaded_by: 'Tom Okafor',
    shared_at: '2026-11-06T09:30:00Z',
    content: drawSharedDrain,
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
      title: 'Your answers about your home',
      facts: alderRow,
      sections: [
        {
          heading: 'Boundaries',
          table: [
            ['Facing the road, the left fence is', 'ours'],
            ['The right fence is', 'the neighbours’'],
            ['The wall at the foot of the garden is', 'shared'],
          ],
        },
        {
          heading: 'Changes to the home',
          list: [
            'The garden room was built in 2018 under permitted development.',
            'Windows at the back were replaced in 2019. The certificate is with you.',
            'No walls were taken down.',
          ],
        },
        {
          heading: 'Neighbours',
          list: [
            'No disputes. The drain that we share with number 16 was cleared together in 2023.',
            'No notices from the council or anybody else.',
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
    title: 'Certificate for the windows of 2019',
    name: 'okafor-windows',
    uploaded_by: 'Tom Okafor',
    shared_at: '2026-10-22T07:50:00Z',
    content: {
      title: 'Certificate for the windows of 2019',
      facts: alderRow,
      sections: [
        {
          table: [
            ['Fitted', 'five windows and one door, at the back'],
            ['On', '3 July 2019'],
            ['By', 'Bear Flat Glazing'],
            ['Guarantee', 'ten years, passes on'],
          ],
        },
        {
          paragraphs: [
            'The fitter certifies that the work follows the building regulations. The council was told.',
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2036',
    matter: sale,
    group: 'contract',
    title: "The contract pack that went to the buyers' lawyer",
    name: 'okafor-contract-pack',
    uploaded_by: 'Rhian Morgan',
    shared_at: '2026-10-23T15:48:00Z',
    content: {
      title: 'What is in the contract pack',
      facts: alderRow,
      sections: [
        {
          list: [
            'The draft contract and the draft transfer.',
            'Official copies of the register and its plan, of 14 October.',
            'Your answers about your home, and what stays and what goes.',
            'The certificate for the windows, and the energy certificate: band C, good until 2031.',
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2037',
    matter: sale,
    group: 'enquiries',
    title: "Letter of your neighbours Siobhán O'Brien-Łukasiewicz and 李小龍 about the drain",
    name: 'okafor-neighbours',
    uploaded_by: "Siobhán O'Brien-Łukasiewicz",
    shared_at: '2026-11-06T11:25:00Z',
    content: {
      title: 'A letter of your neighbours at number 16',
      facts: alderRow,
      sections: [
        {
          paragraphs: [
            'We have lived at 16 Alder Row since 2011 and share a drain with number 14. It has been cleared twice in that time, in 2015 and in 2023. We split the bill each time without a word, and will go on so with whoever comes next.',
            'Nobody has ever parked on the cover in the garden of number 14, and we ask that it stays that way.',
          ],
        },
      ],
      signatures: ['the owners of 16 Alder Row'],
    },
  },
  {
    reference: 'D-2038',
    matter: sale,
    group: 'enquiries',
    title: "The buyers' questions, and what we answered",
    name: 'okafor-buyers-questions',
    uploaded_by: 'Rhian Morgan',
    shared_at: '2026-11-06T16:30:00Z',
    content: {
      title: "The buyers' questions, and what we answered",
      facts: alderRow,
      sections: [
        ['Who owns the wall at the foot of the garden?', 'It is shared. Both sides have kept it since 1928.'],
        ['Where does the shared drain run?', 'See the plan, and the letter of the neighbours.'],
        ['Was the garden room allowed?', 'It needed no permission. The measurements are in the survey.'],
        ['Is the stove in the garden room included?', 'No. You take it, and make the opening good.'],
      ].map(([heading, answer]) => ({ heading: heading ?? '', paragraphs: [answer ?? ''] })),
    },
  },
  {
    reference: 'D-2039',
    matter: sale,
    group: 'mortgage',
    title: 'What is left of your mortgage',
    name: 'okafor-redemption',
    uploaded_by: 'Avon Vale Building Society',
    shared_at: '2026-10-22T11:10:00Z',
    content: {
      title: 'What is left of your mortgage',
      facts: alderRow,
      sections: [
        {
          table: [
            ['Left on 22 October 2026', '£184,120.55'],
            ['For each day after that', '£21.18'],
            ['For leaving before the term', '£0.00'],
            ['For closing the account', '£85.00'],
          ],
        },
        {
          paragraphs: [
            'We ask for the figure again for the day of completion, and repay it out of the price.',
          ],
        },
      ],
    },
  },
  {
    reference: 'D-2040',
    matter: sale,
    group: 'money',
    title: 'What you can expect from your sale',
    name: 'okafor-sale-estimate',
    uploaded_by: 'Joel Adeyemi',
    shared_at: '2026-11-13T15:40:00Z',
    content: {
      title: 'What you can expect from your sale',
      facts: alderRow,
      sections: [
        {
          table: [
            ['Sale price', '£385,000.00'],
            ['To Avon Vale Building Society, about', '£186,100.00'],
            ['To Widcombe & Co, commission with VAT', '£6,084.00'],
            ['To us, fee with VAT', '£1,416.00'],
            ['Towards The Old Chapel, about', '£191,400.00'],
          ],
        },
        {
          paragraphs: [
            'This is an estimate. You get a completion statement with the exact figures before the day.',
          ],
        },
      ],
    },
  },
];

function fittings(reference: string, name: string, shared_at: string, stove: string): Paper {
  return {
    reference,
    matter: sale,
    group: 'property-forms',
    title: 'What stays and what goes',
    name,
    uploaded_by: 'Tom Okafor',
    shared_at,
    content: {
      title: 'What stays and what goes',
      facts: alderRow,
      sections: [
        {
          table: [
            ['Fitted kitchen, hob and oven', 'stays'],
            ['Fridge and washing machine', 'goes with us'],
            ['Carpets on the stairs', 'stays'],
            ['Curtain poles', 'stays'],
            ['Wood-burning stove in the garden room', stove],
            ['Garden shed', 'stays'],
          ],
        },
      ],
    },
  };
}
