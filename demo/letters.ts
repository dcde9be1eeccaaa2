import { formatMoney } from '@keyturn/format/money';
import { cancellationNotice, clientCareLetter } from './client-care.ts';
import { contractOfSale } from './contract-of-sale.ts';
import {
  alderRowSale,
  chancelPolicy,
  chapelPurchase,
  depositSources,
  harbourViewBalance,
  harbourViewSale,
  orchardCloseRemortgage,
  rowsOf,
  searchEstimate,
  sumOf,
  wharfPurchase,
} from './figures.ts';
import { daniel, rhian, sunita } from './firm.ts';
import { avonVale, terrainData } from './letterheads.ts';
import { addresses, letterFacts, okaforFacts } from './our-references.ts';
import type { Letter } from './render-letter.ts';

const { alderRow, chapel, harbourView, orchardClose, wharf } = addresses;
const ramanFacts = letterFacts('KT-2026-00455', wharf, 'Priya Raman');
const whitcombeSaleFacts = letterFacts('KT-2025-00187', harbourView, 'George Whitcombe');
const whitcombeRemortgageFacts = letterFacts('KT-2026-00398', orchardClose, 'George Whitcombe');

const purchaseWork = [
  'Check the seller’s title and the papers that we receive from the seller’s lawyer.',
  'Order the searches, ask questions about anything that’s missing, and explain the answers in plain English.',
  'Send your money on completion, file your Stamp Duty Land Tax return, and register you as the owner with HM Land Registry.',
];
const saleWork = [
  'Send the contract pack to the buyer’s lawyer, and answer their questions with your help.',
  'Repay your mortgage on completion, pay the estate agent, and send you the rest.',
];
const searchesNote = `You pay for property searches separately, before we order them: usually ${formatMoney(searchEstimate.from)} to ${formatMoney(searchEstimate.to)} in total, including VAT, which is an estimate. We’ll show you the price of each search, and its refund rule, before you pay.`;
const estimateNote =
  'Stamp Duty Land Tax depends on what you tell us about yourself and any other homes you own. We’ll confirm it, and HM Land Registry’s fee, before we exchange contracts.';
/** Every letter outside `okaforPapers` and `whitcombePapers`, by its file name. */
export const letters: Record<string, Letter> = {
  'okafor-terms.pdf': clientCareLetter({
    facts: okaforFacts(`${alderRow}, and ${chapel}`),
    handler: rhian,
    matter: 'your sale and purchase',
    weeks: '12 to 16',
    cancellation: 'separate notice',
    work: [...saleWork, ...purchaseWork],
    costs: [
      ...rowsOf(alderRowSale.costs, 'Total for your sale'),
      ...rowsOf(chapelPurchase.costs, 'Total for your purchase'),
      ['Stamp Duty Land Tax on £520,000, if this is your only home', formatMoney(chapelPurchase.stampDuty)],
    ],
    note: `${searchesNote} ${estimateNote}`,
  }),
  'okafor-cancellation.pdf': cancellationNotice({
    facts: okaforFacts(`${alderRow}, and ${chapel}`),
    handler: rhian,
    matter: 'your sale and purchase',
    late: {
      sent: '{2026-10-12}',
      until: '{Friday 2026-12-04}',
    },
  }),
  'okafor-sale-contract.pdf': contractOfSale({
    title: 'Contract for sale',
    reference: 'KT-2026-00421',
    seller: `Amelia Okafor and Tom Okafor, of ${alderRow}`,
    buyer: 'Hannah Bell and Marcus Bell, of 8 Kelston Road, Bath BA1 3QJ',
    property: alderRow,
    titleNumber: 'AV204417',
    incumbrances: [
      'the matters in the register, except the mortgage of 12 June 2017, which is repaid on completion',
      'the right of the owners of 16 Alder Row to enter and repair the shared drain',
    ],
    price: alderRowSale.price,
    deposit: alderRowSale.deposit,
    depositTerms:
      'Under condition 2.2.5 the seller may use all of the deposit as part of the deposit for The Old Chapel, Priory Lane, Frome, where it is held as stakeholder. Any part that is not used, the seller’s conveyancer holds as stakeholder under condition 2.2.6.',
    contents: 'The seller removes the wood-burning stove in the garden room and makes good the opening.',
    signatures: [{ name: 'Amelia Okafor' }, { name: 'Tom Okafor' }],
  }),
  'okafor-sale-title.pdf': {
    title: 'The title to your home',
    facts: okaforFacts(alderRow),
    sections: [
      {
        paragraphs: ['We’ve read the official copy of the register. This is our summary in plain English.'],
      },
      {
        heading: 'Ownership',
        paragraphs: [
          'You, Amelia Okafor and Tom Okafor, have owned the home as joint tenants since 12 June 2017. Your title is absolute, which is the strongest kind.',
        ],
      },
      {
        heading: 'What affects the property',
        list: [
          'A mortgage dated 12 June 2017, which will be repaid when you sell.',
          'A covenant from 1928 not to keep pigs or run a public house on the property.',
          'A drain shared with number 16, with a right to enter the land to repair it.',
        ],
      },
    ],
  },
  'okafor-purchase-title.pdf': {
    title: 'The title to The Old Chapel',
    facts: okaforFacts(chapel),
    sections: [
      {
        paragraphs: [
          'We’ve read the register from the seller’s lawyer, and compared its plan with the estate agent’s details.',
        ],
      },
      {
        heading: 'Ownership',
        paragraphs: ['The owner is Edith Farrow, who is selling to you. Her title is absolute.'],
      },
      {
        heading: 'What affects the property',
        list: [
          'The chapel may only be used as one private home. This suits your plans, but you couldn’t run a business there.',
          'The parish may walk along the south wall twice a year to tend three graves.',
          'The lane is private. Four homes share the cost of its upkeep, about £90 a year each.',
        ],
      },
      {
        heading: 'What we’ve asked the seller',
        list: [
          'who has paid for the lane in the last three years',
          'whether the work followed the 1994 listed building consent. Its plan shows four roof lights, but there are five. The owner of a listed building is responsible for work done without consent, even by an earlier owner',
        ],
      },
    ],
  },
  'okafor-environmental.pdf': {
    title: 'Environmental report',
    letterhead: terrainData,
    facts: [
      ['Property', chapel],
      ['Report number', 'TD-118204-1'],
      ['Prepared for', 'Alder & Finch Conveyancing (KT-2026-00421), Amelia and Tom Okafor, and their lender'],
      ['Date', '{2026-11-18}'],
    ],
    sections: [
      {
        heading: 'Result: passed',
        paragraphs: [
          'We’ve compared the property with historical maps and public records of the land around it. In our opinion, the land would not be designated as contaminated under Part 2A of the Environmental Protection Act 1990. We recommend no further report.',
        ],
      },
      {
        heading: 'Findings',
        table: [
          ['Contaminated land', 'Passed'],
          ['River and sea flooding', 'Very low'],
          ['Surface water flooding', 'Low'],
          ['Ground stability', 'Passed'],
          ['Radon: homes above the action level', 'Below 1%'],
          ['Energy and infrastructure', 'None nearby'],
        ],
      },
      {
        heading: 'Limits of this report',
        paragraphs: [
          'It is based on records only. No one has visited the property, and the report says nothing about the state of the building.',
        ],
      },
    ],
  },
  'okafor-chancel.pdf': {
    title: 'Chancel repair search: our note',
    facts: okaforFacts(chapel),
    sections: [
      {
        heading: 'One point to note',
        paragraphs: [
          'The home is in a parish where some landowners must help to pay for repairs to the church’s chancel. The search can’t tell us whether this property is one of them.',
        ],
      },
      {
        heading: 'What we recommend',
        paragraphs: [
          `Nothing about it is entered on the title. Since 13 October 2013, a buyer who pays for a registered home takes it free of this duty, unless a notice protects it on the title first. Our priority search guards against a late notice. An insurance policy for ${formatMoney(chancelPolicy)} covers what risk remains, for you and later owners. We’ll check whether your lender accepts it.`,
        ],
      },
      {
        heading: 'What you need to do',
        paragraphs: ['Nothing for now. We’ll ask you before exchange whether you’d like the policy.'],
      },
    ],
  },
  'okafor-mortgage-illustration.pdf': {
    title: 'Your mortgage illustration: our summary',
    facts: okaforFacts(chapel),
    sections: [
      {
        paragraphs: [
          'You sent us the illustration that Mendip & Vale Building Society gave you on {2026-11-04}. It shows what the loan would cost. It isn’t an offer: the lender still has to value The Old Chapel and decide.',
        ],
        table: [
          ['Loan', formatMoney(chapelPurchase.loan)],
          ['Interest rate for the first five years', '4.35%'],
          ['Monthly payment in those years', '£1,607.62'],
          ['Term', '28 years'],
        ],
      },
      {
        heading: 'What happens next',
        list: [
          'The lender sends its formal offer to you and to us. We’ll check it and tell you about its conditions.',
          'We won’t exchange contracts until the offer is here and you’ve told us that you’re ready.',
        ],
      },
      {
        heading: 'What lenders usually require',
        list: [
          'A local authority search and a drainage search, both less than six months old.',
          'Buildings insurance from the day of exchange.',
          `The rest of the price from the money that we’ve checked. ${depositSources}`,
        ],
      },
    ],
  },
  'raman-terms.pdf': clientCareLetter({
    facts: ramanFacts,
    handler: daniel,
    matter: 'your purchase',
    weeks: '12 to 16',
    cancellation: 'signed at our office',
    work: [...purchaseWork, 'Check the lease, the service charge and what the landlord must do.'],
    costs: [
      ...rowsOf(wharfPurchase.costs, 'Total'),
      ['Stamp Duty Land Tax on £287,500, as a first-time buyer', '£0.00'],
    ],
    note: `${searchesNote} ${estimateNote}`,
  }),
  'whitcombe-sale-terms.pdf': clientCareLetter({
    facts: whitcombeSaleFacts,
    handler: sunita,
    matter: 'your sale',
    weeks: '10 to 14',
    cancellation: 'notice',
    work: saleWork,
    costs: rowsOf(harbourViewSale.costs, 'Total'),
    note: 'Your estate agent’s commission and the repayment of your mortgage come out of the sale price on completion.',
  }),
  'whitcombe-completion-statement.pdf': {
    title: 'Completion statement',
    facts: whitcombeSaleFacts,
    sections: [
      {
        heading: 'Money in',
        table: rowsOf(
          [
            ['Deposit, which we hold as stakeholder since exchange', harbourViewSale.deposit],
            ['Balance of the price, on completion', harbourViewSale.price - harbourViewSale.deposit],
          ],
          'Total in: the sale price',
        ),
      },
      {
        heading: 'Money out',
        table: rowsOf(
          [
            ['Avon Vale Building Society, to repay your mortgage', harbourViewSale.redemption],
            ['Clevedon Homes, commission including VAT', harbourViewSale.commission],
            ['Our bill 25187-1, including VAT', sumOf(harbourViewSale.costs)],
          ],
          'Total out',
        ),
      },
      { heading: 'Our bill', table: rowsOf(harbourViewSale.costs, 'Total, as in our quotation') },
      {
        heading: 'Balance to you',
        table: rowsOf([['To the account we checked with you, on completion', harbourViewBalance]]),
      },
    ],
  },
  'whitcombe-proof-of-repayment.pdf': {
    title: 'Your mortgage is repaid',
    letterhead: avonVale,
    facts: [
      ['Borrower', 'George Whitcombe'],
      ['Mortgage account', '0000 0187'],
      ['Property', harbourView],
      ['Sent to', 'Alder & Finch Conveyancing, KT-2025-00187'],
    ],
    sections: [
      {
        paragraphs: [
          'We confirm that on {2026-06-26} we received the whole amount that was needed to repay this mortgage. Nothing is owed to us.',
          'We’ve told HM Land Registry electronically that our charge on title ST083155 is discharged. You don’t need to send us any form.',
        ],
      },
    ],
  },
  'whitcombe-remortgage-terms.pdf': clientCareLetter({
    facts: whitcombeRemortgageFacts,
    handler: sunita,
    matter: 'your new mortgage',
    weeks: '6 to 10',
    cancellation: 'notice',
    work: [
      'Check the title to your home, and get the search that your new lender requires.',
      'Repay your old loan on completion, and register the new mortgage with HM Land Registry.',
    ],
    costs: rowsOf(orchardCloseRemortgage.costs, 'Total'),
    note: `Our fee includes the local search, the identity check and the bank transfers. We bill ${formatMoney(orchardCloseRemortgage.interimFee)} of it, plus VAT, when we’ve checked your title and your current mortgage, and the rest on completion. HM Land Registry’s fee comes out of the new loan. You don’t pay Stamp Duty Land Tax on a new mortgage of a home that you already own.`,
  }),
  'whitcombe-remortgage-offer.pdf': {
    title: 'Summary of your new mortgage offer',
    facts: whitcombeRemortgageFacts,
    sections: [
      {
        table: [
          ['New loan', '£148,000.00'],
          ['Interest rate for the first two years', '4.05%'],
          ['Term', '20 years'],
          ['Monthly payment in those years', '£900.75'],
          ['Old loan to repay, approximately', '£146,310.00'],
        ],
      },
      {
        heading: 'What happens next',
        list: [
          'You sign the mortgage deed in front of a witness who isn’t a relative and doesn’t live with you.',
          'We do the final searches and ask your new lender for the money.',
          'The old loan is repaid the same day, and any balance comes to you.',
        ],
      },
    ],
  },
};
