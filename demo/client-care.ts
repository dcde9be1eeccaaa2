import { bankDetailsAdvice } from '@keyturn/format/bank-details-advice';
import { ombudsmanText, regulatorTexts } from '@keyturn/format/regulators';
import { daniel, firm, regulation } from './firm.ts';
import type { Letter } from './render-letter.ts';

interface Retainer {
  facts: Letter['facts'];
  handler: { name: string; role: string; email: string };
  /** What we act on, as the client calls it: "your sale". */
  matter: string;
}

interface ClientCare extends Retainer {
  /** What we do for the client, besides preparing and explaining documents. */
  work: string[];
  /** How many weeks it usually takes. */
  weeks: string;
  /** Our charges and what we pay to others, each with its amount. */
  costs: string[][];
  /** What the costs depend on. */
  note: string;
  /** Whether the client can cancel, and where the notice of it is: at the end of the letter, or in another paper. */
  cancellation: 'notice' | 'separate notice' | 'signed at our office';
}

const { complaints_name, complaints_email, insurer_name, insurer_contact, insurer_cover } = regulation;
const regulator = regulatorTexts[regulation.regulator];
const firmAddress = firm.address.join(', ');

/** Composes what a client reads before we start: the people who act, the costs, and how to complain and cancel. */
export const clientCareLetter = (care: ClientCare): Letter => ({
  title: 'Our terms and costs',
  facts: care.facts,
  sections: [
    {
      paragraphs: [
        `Thank you for asking us to act for you on ${care.matter}. This letter explains who will do the work, what it will cost and what you can expect from us. Please read it carefully, and ask us about anything that isn’t clear.`,
      ],
    },
    {
      heading: 'The people who look after you',
      paragraphs: [
        `${care.handler.name}, ${care.handler.role.toLowerCase()}, will look after your case day to day and is the person to call. ${
          care.handler === daniel
            ? 'He is responsible for the work.'
            : `${daniel.name}, ${daniel.role.toLowerCase()}, supervises the work.`
        } If they’re away, anyone in the team can see how your case is progressing and will help you.`,
      ],
    },
    {
      heading: 'What we’ll do for you',
      list: [
        ...care.work,
        'Prepare the documents you need to sign, and explain what each one commits you to before you sign it.',
      ],
    },
    {
      paragraphs: [
        `This usually takes ${care.weeks} weeks. We don’t survey property, and we don’t advise on your tax beyond what this letter says.`,
      ],
    },
    { heading: 'What it will cost', table: care.costs },
    {
      paragraphs: [
        care.note,
        'What we pay to others for you, such as the tax and HM Land Registry’s fee, is at cost, with VAT where it is due. We show you our price for each search before you pay. If the work turns out to be more than this, we’ll tell you the new price and the reason before we do it. If your case doesn’t complete, you pay for what we’ve done, never more than our fee, and what we have already paid to others for you.',
      ],
    },
    {
      heading: 'Keeping your money safe',
      paragraphs: [
        bankDetailsAdvice,
        'Before you send us money by bank transfer, call us to confirm our account details. Send a small amount first and check with us that it has arrived.',
      ],
    },
    {
      heading: 'Money that we hold for you',
      paragraphs: [
        'We keep your money in a client account. We pay you interest on it when it comes to more than £20 in your case, at the rate that our bank pays on such accounts.',
        'Money that’s left at the end of your case is returned to you promptly. If we can’t find you, we keep trying. The rules of our regulator allow us to pay at most £500 to a charity once we’ve done what we reasonably can.',
        'If someone else is paying for you, tell us first. We have to check who they are and where the money comes from before we use it. We don’t accept cash.',
      ],
    },
    {
      heading: 'If something goes wrong',
      paragraphs: [
        `Please tell ${care.handler.name}, or write to ${complaints_name}, who deals with complaints: ${complaints_email}, or ${firmAddress}. Complaining costs you nothing. We’ll send you our final response within eight weeks.`,
        ...ombudsmanText,
        `If you’re worried about how we behave, for example about ${regulator.reports.about}, you can tell the ${regulator.name}: ${regulator.reports.link.url}`,
      ],
    },
    {
      heading: 'Our regulator and our insurer',
      paragraphs: [
        `${regulator.statement(firm.sra_number)} Its rules are at ${regulator.rules.url}, and its register of firms at ${regulator.register.url}`,
        `Our professional indemnity insurer is ${insurer_name}, ${insurer_contact}. It covers: ${insurer_cover[0]?.toLowerCase()}${insurer_cover.slice(1)}.`,
      ],
    },
    ...rightToCancel(care),
  ],
});

function rightToCancel(care: ClientCare): Letter['sections'] {
  if (care.cancellation === 'notice') return noticeSections(care);
  const text = {
    'separate notice':
      'You can cancel our services for 14 days from the day when you get the notice of this right, without giving a reason. The notice and a form that you can use come with our terms.',
    'signed at our office':
      'You signed our terms at our office, so the 14 days in which consumers can cancel what they agree to at home or from a distance do not apply. You can still end our work at any time, and pay for what we’ve done.',
  };
  return [{ heading: 'Your right to cancel', paragraphs: [text[care.cancellation]] }];
}

/** The instructions and the form of the Consumer Contracts Regulations 2013, schedule 3, parts A and B. */
function noticeSections(
  { handler, matter }: Retainer,
  starts = 'of the conclusion of the contract',
): Letter['sections'] {
  const us = `${firm.name}, ${firmAddress}, telephone ${firm.phone}, email ${handler.email}`;
  return [
    {
      heading: 'Your right to cancel',
      paragraphs: [
        'If you are a consumer and did not sign our terms at our office, you have the right to cancel this contract within 14 days without giving any reason.',
        `The cancellation period will expire after 14 days from the day ${starts}.`,
        `To exercise the right to cancel, you must inform us (${us}) of your decision to cancel this contract by a clear statement, for example a letter sent by post or an email. You may use the attached model cancellation form, but it is not obligatory.`,
        'To meet the cancellation deadline, it is sufficient for you to send your communication concerning your exercise of the right to cancel before the cancellation period has expired.',
      ],
    },
    {
      heading: 'Effects of cancellation',
      paragraphs: [
        'If you cancel this contract, we will reimburse to you all payments received from you. We will make the reimbursement without undue delay, and not later than 14 days after the day on which we are informed about your decision to cancel this contract.',
        'We will make the reimbursement using the same means of payment as you used for the initial transaction, unless you have expressly agreed otherwise; in any event, you will not incur any fees as a result of the reimbursement.',
        'If you requested us to start the performance of services during the cancellation period, you shall pay us an amount which is in proportion to what has been performed until you have communicated us your cancellation from this contract, in comparison with the full coverage of the contract.',
      ],
    },
    {
      startsPage: true,
      heading: 'Cancellation form',
      paragraphs: [
        '(Complete and return this form only if you wish to cancel the contract.)',
        `To ${us}:`,
        `I/We* hereby give notice that I/We* cancel my/our* contract for the supply of the following service: legal services for ${matter}.`,
      ],
      lines: [
        'Ordered on',
        'Name of consumer(s)',
        'Address of consumer(s)',
        'Signature of consumer(s) (only if this form is notified on paper)',
        'Date',
      ],
    },
    {
      paragraphs: [
        '* Delete as appropriate.',
        'The instructions and the form follow those of the Consumer Contracts (Information, Cancellation and Additional Charges) Regulations 2013, schedule 3. They contain public sector information licensed under the Open Government Licence v3.0.',
      ],
    },
  ];
}

/** Composes the notice of the right to cancel for clients whose terms came without it. */
export function cancellationNotice({
  late,
  ...retainer
}: Retainer & {
  /** When the terms were sent, and until when we accept a cancellation. */
  late: { sent: string; until: string };
}): Letter {
  return {
    title: 'Your right to cancel',
    facts: retainer.facts,
    sections: [
      {
        paragraphs: [
          `This notice should have come with our terms of ${late.sent}. We’re sorry that it didn’t. Your time to cancel starts only now, and we accept your decision until the end of ${late.until}.`,
          'If you cancel, you pay nothing for what we did before you had this notice. You pay only for what you ask us in writing to do from now on, such as ordering a search.',
        ],
      },
      ...noticeSections(retainer, 'on which you receive this notice'),
    ],
  };
}
