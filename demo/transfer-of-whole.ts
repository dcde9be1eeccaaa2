import { formatMoney } from '@keyturn/format/money';
import type { Letter } from './render-letter.ts';

interface Transfer {
  title: string;
  titleNumber: string;
  property: string;
  transferors: Signatory[];
  transferees: string[];
  /** In words, and in pence. */
  consideration: { words: string; pence: number };
  /** The covenant on the title that the transferees have to keep. */
  covenant: string;
}

interface Signatory {
  name: string;
  /** On a signed copy: the signature, and the witness. */
  written?: string[];
}

const choice = (isChosen: boolean, text: string) => `[${isChosen ? 'X' : '   '}]  ${text}`;

/** Composes the transfer of a home to two people who hold it as joint tenants, with the panels of form TR1. */
export function transferOfWhole(transfer: Transfer): Letter {
  const { titleNumber, property, transferors, transferees, consideration } = transfer;
  const panels: [heading: string, ...paragraphs: string[]][] = [
    ['Title number of the property', titleNumber],
    ['Property', property],
    ['Date', '(to be written in on completion)'],
    ['Transferor', transferors.map(({ name }) => name).join(' and ')],
    ['Transferee for entry in the register', transferees.join(' and ')],
    ['Transferee’s intended address for service for entry in the register', property],
    ['The transferor transfers the Property to the transferee'],
    [
      'Consideration',
      choice(
        true,
        `The transferor has received from the transferee for the Property the following sum: ${consideration.words} (${formatMoney(consideration.pence)})`,
      ),
      choice(false, 'The transfer is not for money or anything that has a monetary value'),
      choice(false, 'Other receipt:'),
    ],
    [
      'The transferor transfers with',
      choice(true, 'full title guarantee'),
      choice(false, 'limited title guarantee'),
    ],
    [
      'Declaration of trust. The transferee is more than one person and',
      choice(true, 'they are to hold the Property on trust for themselves as joint tenants'),
      choice(
        false,
        'they are to hold the Property on trust for themselves as tenants in common in equal shares',
      ),
      choice(false, 'they are to hold the Property on trust:'),
    ],
    [
      'Additional provisions',
      `To indemnify the transferor only, the transferee covenants with the transferor to keep ${transfer.covenant}, and to indemnify the transferor against any breach of it.`,
    ],
    [
      'Execution',
      'The transferor signs this transfer as a deed. The transferee signs it too, because panel 10 declares a trust.',
    ],
  ];
  return {
    title: transfer.title,
    letterhead: null,
    facts: [],
    sections: [
      {
        paragraphs: [
          'Transfer of whole of registered title, with the panels of HM Land Registry’s form TR1. Contains public sector information licensed under the Open Government Licence v3.0.',
          'If you dishonestly enter or state here what you know is, or might be, untrue or misleading, and mean to make a gain for yourself or another, or to cause a loss, you may commit fraud under section 1 of the Fraud Act 2006.',
        ],
      },
      ...panels.map(([heading, ...paragraphs], index) => ({
        panel: String(index + 1),
        heading,
        paragraphs,
      })),
    ],
    signatures: [...transferors, ...transferees.map((name) => ({ name }))],
    isDeed: true,
  };
}
