import type { CaseFeed } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { harbourViewBalance, harbourViewSale } from './figures.ts';
import { addWorkingDays } from './working-days.ts';

type Entry = NonNullable<CaseFeed['history']>[number];
type Draft = Pick<Entry, 'category' | 'actor' | 'summary'> & { day: string };

const george = 'George Whitcombe';
const sunita = 'Sunita Rao';
const assistant = 'Joel Adeyemi';
const buyersLawyer = 'Marsh & Teal';
const agent = 'Clevedon Homes';
const lender = 'Avon Vale Building Society';

/** Enough entries to exercise long lists. */
const entryCount = 500;

/**
 * Returns the history of a sale that took nine months: milestones, the buyers' questions, weekly news of the chain,
 * calls and papers. The result is the same every time.
 */
export function whitcombeSaleHistory(caseReference: string): Entry[] {
  const random = createRandom(187);
  const drafts = [
    ...milestoneDrafts(),
    ...questionDrafts(random),
    ...chainNewsDrafts(random),
    ...paperDrafts(random),
  ];
  for (const call of callDrafts(random)) if (drafts.length < entryCount) drafts.push(call);
  if (drafts.length !== entryCount) throw new Error(`${drafts.length} entries instead of ${entryCount}`);
  return drafts
    .map((draft) => ({ ...draft, at: randomTimeOn(draft.day, random) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ at, category, actor, summary }, index) => ({
      reference: `H-7${String(index + 1).padStart(3, '0')}`,
      case: caseReference,
      occurred_at: at,
      category,
      actor,
      summary,
    }));
}

const draft = (day: string, category: Entry['category'], actor: string, summary: string): Draft => ({
  day,
  category,
  actor,
  summary,
});

function milestoneDrafts(): Draft[] {
  return [
    draft('2025-09-15', 'case', sunita, 'We opened your case and sent you our terms'),
    draft('2025-09-16', 'message', george, 'You accepted our terms'),
    draft('2025-09-19', 'milestone', assistant, 'We checked your identity'),
    draft('2025-09-22', 'milestone', sunita, 'We downloaded the title to 3 Harbour View'),
    draft('2025-10-03', 'milestone', george, 'You sent us the property forms'),
    draft('2025-10-08', 'milestone', lender, 'Your lender sent us the mortgage redemption figure'),
    draft('2025-10-10', 'milestone', sunita, 'We sent the contract pack to the buyers’ lawyer'),
    draft('2025-11-14', 'milestone', buyersLawyer, 'The last of the buyers’ initial questions was answered'),
    draft(
      '2026-01-22',
      'case',
      agent,
      'The chain broke below your buyers. They found another buyer within three weeks',
    ),
    draft('2026-02-13', 'case', agent, 'The chain is complete again'),
    draft('2026-04-24', 'milestone', buyersLawyer, 'The buyers’ lawyer is satisfied with all our replies'),
    draft('2026-05-15', 'milestone', george, 'You signed the contract and the transfer'),
    draft('2026-06-05', 'milestone', agent, 'Everyone in the chain agreed to move on {Friday 2026-06-26}'),
    draft(
      '2026-06-12',
      'milestone',
      sunita,
      'We exchanged contracts: you’re legally bound to sell on {2026-06-26}',
    ),
    draft(
      '2026-06-12',
      'payment',
      buyersLawyer,
      `The buyers’ lawyer sent us the deposit of ${formatMoney(harbourViewSale.deposit)}`,
    ),
    draft('2026-06-19', 'milestone', sunita, 'We sent you the completion statement'),
    draft(
      '2026-06-26',
      'milestone',
      sunita,
      'Completed: we received the buyers’ money and released the keys',
    ),
    draft(
      '2026-06-26',
      'payment',
      sunita,
      `We repaid your mortgage and sent ${formatMoney(harbourViewBalance)} to the account we checked with you`,
    ),
    draft('2026-07-17', 'milestone', sunita, 'Your lender’s charge was removed and we closed your case'),
  ];
}

/** The subjects of the buyers' questions, one each. */
export const enquirySubjects = [
  'the boundary to number 5',
  'the 2004 extension',
  'the window guarantee',
  'the boiler’s last service',
  'the loft conversion',
  'the flue of the wood-burning stove',
  'parking on the lane',
  'the drain under the terrace',
  'the sea wall levy',
  'the right of way to the slipway',
  'the damp-proof course',
  'the electrical certificate',
  'the tree preservation order on the cedar',
  'the garage roof',
  'broadband and the phone mast',
  'flood insurance',
  'the knotweed survey',
  'the ownership of the solar panels',
  'the planning condition on the balcony',
  'the shared water meter',
  'the missing building control certificate',
  'the height of the rear hedge',
  'the removal of the chimney breast',
  'the burglar alarm contract',
  'the removal of the oil tank',
  'the covenant against caravans',
  'the steps to the beach',
  'the neighbour’s scaffolding',
  'the age of the septic tank',
  'the restriction on holiday lets',
  'the retaining wall',
  'the gas supply to the outbuilding',
  'the fitted wardrobes',
  'the porch roof',
  'the street lamp by the gate',
  'the council tax band',
  'the Coal Authority’s letter',
  'the 2011 party wall award',
  'the width of the drive',
  'the satellite dish',
];

/** Follows each question from the buyers' lawyer to the reply. One in four also needs a supporting document. */
function questionDrafts(random: Random): Draft[] {
  return enquirySubjects.flatMap((subject, index) => {
    const asked = addWorkingDays('2025-10-16', Math.floor(index * 2.6));
    const passed = addWorkingDays(asked, random.below(2));
    const answered = addWorkingDays(passed, 1 + random.below(6));
    const sent = addWorkingDays(answered, random.below(3));
    const settled = addWorkingDays(sent, 2 + random.below(9));
    const entries = [
      draft(
        asked,
        'message',
        buyersLawyer,
        `Question ${index + 1}: the buyers’ lawyer asked about ${subject}`,
      ),
      draft(passed, 'message', assistant, `We asked you about ${subject}`),
      draft(answered, 'message', george, `You told us about ${subject}`),
      draft(sent, 'message', sunita, `We answered question ${index + 1} about ${subject}`),
      draft(
        settled,
        'message',
        buyersLawyer,
        `The buyers’ lawyer is satisfied with our reply about ${subject}`,
      ),
    ];
    if (index % 4 !== 1) return entries;
    return [
      ...entries,
      draft(
        addWorkingDays(sent, 1),
        'message',
        buyersLawyer,
        `The buyers’ lawyer asked for documents about ${subject}`,
      ),
      draft(addWorkingDays(sent, 2), 'document', george, `You sent us documents about ${subject}`),
    ];
  });
}

const chainNewsItems = [
  'the survey at the top of the chain is booked',
  'the valuation for the buyers’ mortgage is done',
  'the first-time buyers at the bottom have their mortgage offer',
  'the sellers at the top have found a home to rent',
  'two of five homes are ready to exchange',
  'three of five homes are ready to exchange',
  'one search is delayed, and the council has been chased',
  'the buyers visited to measure for curtains',
];

function chainNewsDrafts(random: Random): Draft[] {
  return Array.from({ length: 36 }, (_, week) => {
    const day = addWorkingDays('2025-09-24', week * 5);
    return [
      draft(
        day,
        'message',
        agent,
        `Chain update: ${chainNewsItems[(week + random.below(2)) % chainNewsItems.length]}`,
      ),
      draft(addWorkingDays(day, 1), 'message', sunita, 'We sent you our weekly update and the next steps'),
    ];
  }).flat();
}

const paperEntries = [
  ['certificates', 'We added a certificate to your documents'],
  ['enquiries', 'We updated the list of questions and answers'],
  ['title', 'We added a copy of a deed to your documents'],
  ['contract', 'We shared a new version of the draft contract'],
  ['money', 'We compared our costs so far with our quotation: nothing has changed'],
] as const;

function paperDrafts(random: Random): Draft[] {
  return Array.from({ length: 60 }, (_, index) => {
    const day = addWorkingDays('2025-09-25', index * 3 + random.below(2));
    const [group, summary] =
      paperEntries[(index * 3 + random.below(2)) % paperEntries.length] ?? paperEntries[0];
    return draft(
      day,
      group === 'money' ? 'payment' : 'document',
      index % 3 === 0 ? sunita : assistant,
      summary,
    );
  });
}

const callTopics = [
  'when exchange is likely',
  'what the buyers’ lawyer is waiting for',
  'the moving date',
  'insuring your home until completion',
  'booking a removal firm',
  'fittings and contents',
  'the mortgage redemption figure',
  'how we pay the sale proceeds to you',
];

function callDrafts(random: Random): Draft[] {
  return Array.from({ length: 400 }, (_, index) => {
    const day = addWorkingDays('2025-09-17', Math.floor(index * 1.35) % 190);
    const reason = callTopics[random.below(callTopics.length)];
    return index % 2 === 0
      ? draft(day, 'message', george, `You called us about ${reason}`)
      : draft(day, 'message', sunita, `We called you back about ${reason}`);
  });
}

interface Random {
  /** Returns a whole number from 0 to `end - 1`. */
  below(end: number): number;
}

/** Creates a mulberry32 generator, which returns the same numbers for the same seed on every machine. */
function createRandom(seed: number): Random {
  let state = seed;
  return {
    below: (end) => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
    },
  };
}

/** Returns a timestamp between 8:45 and 17:29 London time on a calendar day. */
function randomTimeOn(day: string, random: Random): string {
  const minutes = 8 * 60 + 45 + random.below(8 * 60 + 44);
  const summer = (day >= '2025-03-30' && day < '2025-10-26') || (day >= '2026-03-29' && day < '2026-10-25');
  const utc = minutes - (summer ? 60 : 0);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${day}T${two(Math.floor(utc / 60))}:${two(utc % 60)}:${two(random.below(60))}Z`;
}
