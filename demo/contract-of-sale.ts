import { formatMoney } from '@keyturn/format/money';
import type { Letterhead } from './letterheads.ts';
import type { Letter } from './render-letter.ts';

export interface ContractOfSale {
  title: string;
  letterhead?: Letterhead;
  reference: string;
  /** The days of exchange and completion, once they are agreed. */
  date?: string;
  completion?: string;
  seller: string;
  buyer: string;
  property: string;
  titleNumber: string;
  incumbrances: string[];
  price: number;
  deposit: number;
  /** What the seller's conveyancer does with the deposit. */
  depositTerms: string;
  contents: string;
  otherTerms?: string[];
  signatures: Letter['signatures'];
}

/** Composes a contract that incorporates the Standard Conditions of Sale, with its particulars and special conditions. */
export const contractOfSale = (sale: ContractOfSale): Letter => ({
  title: sale.title,
  ...(sale.letterhead ? { letterhead: sale.letterhead } : {}),
  facts: [
    ['Our reference', sale.reference],
    ['Date', sale.date ?? 'to be filled in on exchange'],
    ['Seller', sale.seller],
    ['Buyer', sale.buyer],
    ['Property', `${sale.property}, freehold`],
    ['Title number', sale.titleNumber],
    ['Title guarantee', 'full'],
    ['Completion date', sale.completion ?? 'to be filled in on exchange'],
    ['Contract rate', 'the Law Society’s interest rate from time to time in force'],
    ['Purchase price', formatMoney(sale.price)],
    ['Deposit', formatMoney(sale.deposit)],
    ['Contents price', 'none'],
    ['Balance', formatMoney(sale.price - sale.deposit)],
  ],
  sections: [
    {
      paragraphs: [
        'The seller agrees to sell and the buyer agrees to buy the property for the purchase price.',
      ],
    },
    { heading: 'Specified incumbrances', list: sale.incumbrances },
    {
      heading: 'Special conditions',
      paragraphs: [
        'This contract incorporates the Standard Conditions of Sale (5th edition, 2018 revision), whose terms have the same meaning here. If they differ from these special conditions, these prevail.',
        'The seller sells with the title guarantee named above, and with vacant possession.',
        sale.depositTerms,
        `The attached list shows the contents that are included in the sale and the fixtures that are not. ${sale.contents}`,
        'Conditions 6.1.2 and 6.1.3 apply as if they named 1.00 pm instead of 2.00 pm.',
        'Neither party relies on any statement by the other, unless the other or its conveyancer made it in writing. This excludes no liability for fraud or recklessness.',
        ...(sale.otherTerms ?? []),
      ].map((term, index) => `${index + 1}. ${term}`),
    },
    { paragraphs: ['Signing this contract binds no one. It binds both parties once it is exchanged.'] },
  ],
  ...(sale.signatures ? { signatures: sale.signatures } : {}),
});
