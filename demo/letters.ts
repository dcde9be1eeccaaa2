import type { Letter } from './render-letter.ts';

const chapel = 'The Old Chapel, Priory Lane, Frome BA11 4QX';
const alderRow = '14 Alder Row, Bath BA2 3HU';
const wharf = 'Flat 6, 41 Wapping Wharf Lane, Bristol BS1 6XW';
const harbour = '3 Harbour View, Clevedon BS21 7TQ';
const orchard = '22 Orchard Close, Portishead BS20 6PR';

const letterFacts = (reference: string, property: string, clients: string): Letter['facts'] => [
  ['Our reference', reference],
  ['Property', property],
  ['Clients', clients],
];
const okaforFactsFor = (property: string) =>
  letterFacts('KT-2026-00421', property, 'Amelia Okafor and Tom Okafor');
const ramanFacts = letterFacts('KT-2026-00455', wharf, 'Priya Raman');
const whitcombeSaleFacts = letterFacts('KT-2025-00187', harbour, 'George Whitcombe');
const whitcombeRemortgageFacts = letterFacts('KT-2026-00398', orchard, 'George Whitcombe');

const clientCareLetter = (of: Letter['facts'], who: string, matter: string): Letter => ({
  title: 'Our terms, and what it will cost',
  facts: of,
  sections: [
    {
      paragraphs: [
        `Thank you for asking us to act on ${matter}. This letter says who does the work, what it costs and what you can expect of us. Please read it, and ask about anything that is not clear.`,
      ],
    },
    {
      heading: 'Who does your work',
      paragraphs: [
        `${who} has the day-to-day care of your case and is the person to call. If they are away, anybody in the team can see where things stand and will help you.`,
      ],
    },
    {
      heading: 'What we do for you',
      list: [
        'We check the title to the property, and the papers that the other side sends.',
        'We raise questions where something is missing, and tell you in plain words what the answers mean.',
        'We prepare what you have to sign, and say before you sign what it binds you to.',
        'We move the money on the day, and register what has to be registered.',
      ],
    },
    {
      heading: 'What it costs',
      table: [
        ['Our fee', '£1,150.00'],
        ['VAT on our fee at 20%', '£230.00'],
        ['Bank transfer fee, with VAT', '£36.00'],
        ['Identity check for each person, with VAT', '£14.40'],
      ],
    },
    {
      paragraphs: [
        'Property searches are paid for separately, before we order them. You see the price of each, with its VAT, before you pay.',
      ],
    },
    {
      heading: 'Keeping your money safe',
      paragraphs: [
        'We never send or change bank details by email. If you get a message that says our account has changed, do not pay. Call us on the number at the head of this letter.',
        'Before you send us money by bank transfer, call us and confirm the details by voice. Send a small sum first and ask whether it has arrived.',
      ],
    },
    {
      heading: 'If something goes wrong',
      paragraphs: [
        'Tell the person who does your work, or write to our complaints partner. We answer within eight weeks. If you are not satisfied then, you may go to the Legal Ombudsman.',
      ],
    },
    {
      heading: 'Your right to change your mind',
      paragraphs: [
        'You may cancel within 14 days of instructing us. If you ask us to begin before that, you pay for what has been done by then.',
      ],
    },
  ],
});

/** Every document of the demonstration, by its file name. */
export const letters: Record<string, Letter> = {
  'okafor-terms.pdf': clientCareLetter(
    okaforFactsFor(`${alderRow}, and ${chapel}`),
    'Rhian Morgan',
    'your sale and purchase',
  ),
  'okafor-sale-contract.pdf': {
    title: 'Contract for sale',
    facts: [
      ['Our reference', 'KT-2026-00421'],
      ['Property', `${alderRow}, freehold`],
      ['Seller', 'Amelia Okafor and Tom Okafor'],
      ['Buyer', 'Hannah Bell and Marcus Bell'],
      ['Price', '£385,000.00'],
      ['Deposit', '£38,500.00'],
    ],
    sections: [
      {
        heading: '1. What is sold',
        paragraphs: [
          'The seller sells and the buyer buys the whole of the freehold property that is registered at HM Land Registry, with full title guarantee, and with vacant possession on the day of completion.',
        ],
      },
      {
        heading: '2. The deposit',
        paragraphs: [
          "On exchange the buyer pays the deposit to the seller's conveyancer, who holds it as stakeholder until completion.",
        ],
      },
      {
        heading: '3. The day of completion',
        paragraphs: [
          'The parties write the day of completion into this contract when they exchange it. The balance of the price is to arrive by 1:00 pm on that day.',
        ],
      },
      {
        heading: '4. What stays and what goes',
        paragraphs: [
          'The fitted kitchen, the carpets on the stairs and the curtain poles stay. The seller takes the wood-burning stove in the garden room and makes the opening good.',
        ],
      },
      {
        heading: '5. What the property is subject to',
        list: [
          'the matters in the register, other than the seller’s mortgage, which is repaid on completion',
          'whatever a careful buyer would see on looking over the property',
          'the right of the owners of 16 Alder Row to maintain the shared drain',
        ],
      },
      {
        heading: '6. If a party is late',
        paragraphs: [
          'A party who does not complete on the day pays interest on the balance at four per cent above base rate for each day, without losing any other right of the other party.',
        ],
      },
      {
        heading: '7. The whole agreement',
        paragraphs: [
          'This contract is all that the parties have agreed. It binds them when their conveyancers exchange it, and not before.',
        ],
      },
    ],
    signatures: ['Amelia Okafor', 'Tom Okafor'],
  },
  'okafor-sale-title.pdf': {
    title: 'What the title to your home says',
    facts: okaforFactsFor(alderRow),
    sections: [
      {
        paragraphs: [
          'We have read the official copy of the register. This is our summary of it in plain words.',
        ],
      },
      {
        heading: 'Who owns it',
        paragraphs: [
          'You, Amelia Okafor and Tom Okafor, as joint tenants, since 12 June 2017. The title is absolute, the best kind there is.',
        ],
      },
      {
        heading: 'What binds it',
        list: [
          'A mortgage of 12 June 2017, which is repaid when you sell.',
          'A promise from 1928 not to keep pigs or to run a public house there.',
          'A drain shared with number 16, with a right to go onto the land to mend it.',
        ],
      },
    ],
  },
  'okafor-purchase-title.pdf': {
    title: 'What the title to The Old Chapel says',
    facts: okaforFactsFor(chapel),
    sections: [
      {
        paragraphs: [
          "We have read the register that the seller's lawyer sent, and compared its plan with the agent's details.",
        ],
      },
      { heading: 'Who owns it', paragraphs: ['Edith Farrow, who is the seller. The title is absolute.'] },
      {
        heading: 'What binds it',
        list: [
          'The chapel may be used as one private home and for nothing else. This suits you, and would stop a business there.',
          'The parish may walk along the south wall twice a year to tend three graves.',
          'The lane is private. Four homes share the cost of keeping it, about £90 a year each.',
        ],
      },
      {
        heading: 'What we have asked about',
        list: [
          'who has paid for the lane in the last three years',
          'whether the listed-building consent of 1994 was followed',
        ],
      },
    ],
  },
  'okafor-environmental.pdf': {
    title: 'Environmental search: result',
    facts: okaforFactsFor(chapel),
    sections: [
      {
        heading: 'The result is clear',
        paragraphs: [
          'Nothing was found that would stop you, or your lender, from going ahead. The search looks at old maps and public records for the land and what lies around it.',
        ],
      },
      {
        heading: 'What was looked at',
        table: [
          ['Contaminated land', 'Passed'],
          ['River and sea flooding', 'Very low'],
          ['Surface water flooding', 'Low'],
          ['Ground stability', 'Passed'],
          ['Radon', 'Below 1%'],
          ['Energy and infrastructure', 'None near'],
        ],
      },
      {
        heading: 'What this means for you',
        paragraphs: [
          'A low risk of surface water is usual for a lane that slopes. Ordinary home insurance covers it. We advise no further report.',
        ],
      },
    ],
  },
  'okafor-chancel.pdf': {
    title: 'Chancel repair search: our note',
    facts: okaforFactsFor(chapel),
    sections: [
      {
        heading: 'There is one point to note',
        paragraphs: [
          'The home lies in a parish where some land must help to pay for the repair of the church’s chancel. The search cannot say whether this land is part of it.',
        ],
      },
      {
        heading: 'What we suggest',
        paragraphs: [
          'Nothing has been registered against the title, and after 2013 it can hardly be enforced against a buyer who did not know. An insurance policy for £24 covers what is left of the risk, for you and for every later owner. Your lender accepts it.',
        ],
      },
      {
        heading: 'What you have to do',
        paragraphs: ['Nothing now. We ask you before exchange whether we should take out the policy.'],
      },
    ],
  },
  'okafor-mortgage-offer.pdf': {
    title: 'Your mortgage offer in short',
    facts: okaforFactsFor(chapel),
    sections: [
      {
        paragraphs: [
          'Mendip & Vale Building Society has told us on what terms it expects to lend. The formal offer follows.',
        ],
        table: [
          ['Loan', '£312,000.00'],
          ['Rate for the first five years', '4.35%'],
          ['Each month in those years', '£1,548.20'],
          ['Length', '28 years'],
        ],
      },
      {
        heading: 'What it asks for',
        list: [
          'A local authority search and a drainage search, neither older than six months.',
          'Buildings insurance from the day of exchange.',
          'The rest of the price from your own money and from the sale of 14 Alder Row.',
        ],
      },
    ],
  },
  'raman-terms.pdf': clientCareLetter(ramanFacts, 'Daniel Finch', 'your purchase'),
  'whitcombe-sale-terms.pdf': clientCareLetter(whitcombeSaleFacts, 'Sunita Rao', 'your sale'),
  'whitcombe-completion-statement.pdf': {
    title: 'Completion statement',
    facts: whitcombeSaleFacts,
    sections: [
      {
        heading: 'Money in',
        table: [
          ['Sale price', '£412,500.00'],
          ['Total in', '£412,500.00'],
        ],
      },
      {
        heading: 'Money out',
        table: [
          ['To Avon Vale Building Society, to repay your mortgage', '£96,204.11'],
          ['To Clevedon Homes, commission with VAT', '£5,940.00'],
          ['To us, fee with VAT', '£1,416.00'],
          ['Total out', '£103,560.11'],
        ],
      },
      { heading: 'To you', table: [['Sent to your checked account', '£308,939.89']] },
    ],
  },
  'whitcombe-proof-of-repayment.pdf': {
    title: 'Your mortgage is repaid',
    facts: whitcombeSaleFacts,
    sections: [
      {
        paragraphs: [
          'Avon Vale Building Society confirms that your loan is repaid in full and that it has released its charge on the property. The register no longer shows it.',
          'Keep this letter with your papers. You need do nothing more.',
        ],
      },
    ],
  },
  'whitcombe-remortgage-terms.pdf': clientCareLetter(
    whitcombeRemortgageFacts,
    'Sunita Rao',
    'your new mortgage',
  ),
  'whitcombe-remortgage-offer.pdf': {
    title: 'Your new mortgage offer in short',
    facts: whitcombeRemortgageFacts,
    sections: [
      {
        table: [
          ['New loan', '£148,000.00'],
          ['Rate for the first two years', '4.05%'],
          ['Each month in those years', '£897.65'],
          ['Old loan to repay, about', '£146,310.00'],
        ],
      },
      {
        heading: 'What happens next',
        list: [
          'You sign the mortgage deed in front of a witness who is not family and does not live with you.',
          'We make the last searches and call for the money.',
          'The old loan is repaid on the same day, and what is left over comes to you.',
        ],
      },
    ],
  },
};
