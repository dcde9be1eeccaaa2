import { type BillLine, type CaseFeed, vatCodes } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { vatOf } from '@keyturn/format/vat';
import {
  halePurchase,
  harbourViewSale,
  type Line,
  orchardCloseRemortgage,
  rowsOf,
  sumOf,
} from './figures.ts';
import { firm, rhian, sunita } from './firm.ts';
import { addresses } from './our-references.ts';
import type { Paper } from './paper.ts';

type FeedBill = NonNullable<CaseFeed['bills']>[number];
type LinedBill = FeedBill & { lines: Pick<BillLine, 'description' | 'net' | 'money'>[] };

/** The bills of George's sale and remortgage. */
export const whitcombeBills = [
  {
    reference: 'B-2025-187-1',
    case: 'KT-2025-00187',
    matter: 'KT-2025-00187-S',
    number: '25187-1',
    description: 'Our fee for your sale, official copies, bank transfer and identity check',
    issued_on: '2026-06-19',
    ...harbourViewSale.bill,
    document: 'D-1804',
    status: 'issued',
    paid: sumOf(harbourViewSale.costs),
  },
  {
    reference: 'B-2026-398-0',
    case: 'KT-2026-00398',
    matter: 'KT-2026-00398-R',
    number: '26398-0',
    description: 'Interim bill for checking your title and your current mortgage',
    issued_on: '2026-11-06',
    due_on: '2026-11-20',
    ...orchardCloseRemortgage.interimBill,
    document: 'D-2203',
    status: 'issued',
  },
  {
    reference: 'B-2026-398-1',
    case: 'KT-2026-00398',
    matter: 'KT-2026-00398-R',
    number: '26398-1',
    description: 'The rest of our fee for your new mortgage',
    issued_on: '2026-11-17',
    due_on_completion: true,
    ...orchardCloseRemortgage.finalBill,
    document: 'D-2204',
    status: 'issued',
  },
] satisfies LinedBill[];

/** The bill of Imogen's purchase, with client money. */
export const haleBills = [
  {
    reference: 'B-2026-437-0',
    case: 'KT-2026-00437',
    matter: 'KT-2026-00437-P',
    number: '26437-0',
    description: 'Interim bill for checking the contract pack, and the fee to register you as the owner',
    issued_on: '2026-11-11',
    due_on: '2026-11-18',
    ...halePurchase.bill,
    document: 'D-3301',
    status: 'issued',
  },
] satisfies LinedBill[];

/** The documents of all bills. */
export const billPapers: Paper[] = [
  ...whitcombeBills.map((bill) =>
    paperOf(bill, {
      by: sunita.name,
      client: 'George Whitcombe',
      property: bill.case === 'KT-2025-00187' ? addresses.harbourView : addresses.orchardClose,
    }),
  ),
  ...haleBills.map((bill) =>
    paperOf(bill, { by: rhian.name, client: 'Imogen Hale', property: addresses.weaversMews }),
  ),
];

/** Writes a bill on our letterhead: the lines that it has in the feed, with VAT for each rate, and their sums. */
function paperOf(
  {
    number,
    document = '',
    matter = '',
    case: caseReference,
    issued_on,
    due_on,
    description,
    lines,
    paid,
  }: LinedBill,
  { by, client, property }: { by: string; client: string; property: string },
): Paper {
  const own = lines.filter(({ money }) => money === 'office');
  const held = lines.filter(({ money }) => money === 'client');
  const net = (some: typeof lines): Line[] => some.map((line) => [line.description, line.net]);
  const vat = own.reduce((sum, line) => sum + vatOf(line.net, vatCodes.standard.rate), 0);
  const ownRows: Line[] = [...net(own), [`VAT at ${vatCodes.standard.rate}%`, vat]];
  const sums: Line[] =
    held.length === 0
      ? []
      : [
          ['Our work, with VAT', sumOf(ownRows)],
          ['What we pay to others for you', sumOf(net(held))],
        ];
  const total = sumOf(ownRows) + sumOf(net(held));
  return {
    reference: document,
    matter,
    group: 'money',
    title: `Bill ${number}`,
    name: `bill-${number}`,
    uploaded_by: by,
    shared_at: `${issued_on}T14:30:00Z`,
    content: {
      title: `Bill ${number}`,
      facts: [
        ['Date, and tax point', `{${issued_on}}`],
        ['VAT number', firm.vat_number],
        ['Our reference', caseReference],
        ['Client', client],
        ['Property', property],
        ['For', description],
      ],
      sections: [
        {
          heading: 'Our work',
          table: rowsOf(ownRows, held.length > 0 ? 'Total of our work, with VAT' : 'Total'),
        },
        ...(held.length > 0
          ? [
              {
                heading: 'What we pay to others for you',
                paragraphs: ['We hold this money for you (client money) until we pay it. It has no VAT.'],
                table: rowsOf(net(held), 'Total of what we pay to others'),
              },
              { heading: 'To pay', table: rowsOf(sums, 'Total') },
            ]
          : []),
        {
          paragraphs: [
            paid === total
              ? `Paid in full from the money of your sale: ${formatMoney(total)}.`
              : `Please pay ${due_on ? `by {${due_on}}` : 'on completion'}. You can pay in your dashboard, where you sign in as you usually do.`,
          ],
        },
      ],
    },
  };
}
