import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FeedList, feedFormat } from '@keyturn/contract';

export interface GeneratedFeed {
  /** The folder that receives `feed.json` and the documents. */
  folder: string;
  /** Approximate number of records. */
  records: number;
  seed: number;
}

/** The mean number of records of a case, in all lists together. */
const recordsPerCase = 25;
/** The first steps of a purchase. */
const steps = [
  'instructed',
  'identity_checked',
  'funds_checked',
  'searches_paid',
  'contract_pack_received',
  'searches_ordered',
  'title_reviewed',
  'enquiries_raised',
  'mortgage_offer_received',
  'searches_received',
  'enquiries_answered',
  'report_sent',
  'documents_signed',
  'deposit_received',
  'exchanged',
  'pre_completion',
  'completed',
  'tax_filed',
  'registration_applied',
  'registered',
];
/** Different files among all documents. */
const fileCount = 200;

/**
 * Writes a feed of realistic cases: owners, one matter with its milestones, documents, searches, tasks, a bill and
 * history. The same seed writes the same feed. Only one record is in memory at a time.
 * @returns the path of the feed and the number of its records
 */
export async function makeFeed({
  folder,
  records,
  seed,
}: GeneratedFeed): Promise<{ file: string; count: number }> {
  mkdirSync(join(folder, 'documents'), { recursive: true });
  for (let index = 0; index < fileCount; index += 1) {
    writeFileSync(join(folder, 'documents', `${index}.pdf`), `%PDF-1.7 letter ${index} `.padEnd(20_000, 'x'));
  }
  const file = join(folder, 'feed.json');
  const stream = createWriteStream(file);
  const write = async (text: string) => {
    if (!stream.write(text)) await once(stream, 'drain');
  };
  const cases = Math.round(records / recordsPerCase);
  let count = 0;
  await write(`{"format":"${feedFormat}","as_of":"2026-11-20","firm":${JSON.stringify(generatedFirm)}`);
  for (const list of Object.keys(lists) as FeedList[]) {
    await write(`,"${list}":[`);
    let separator = '\n';
    for (let index = 0; index < cases; index += 1) {
      for (const record of lists[list](createCase(index, seed))) {
        await write(separator + JSON.stringify(record));
        separator = ',\n';
        count += 1;
      }
    }
    await write(']');
  }
  await write('}\n');
  stream.end();
  await once(stream, 'close');
  return { file, count };
}

/** The number of records of a case, without documents and the tasks about them. */
const linesPerCase = 21;

/**
 * Generates the lines of a batch with the same cases, without documents, whose files are sent one by one, and the tasks
 * about them.
 */
export function* makeLines({ records, seed }: Omit<GeneratedFeed, 'folder'>): Generator<string> {
  const cases = Math.round(records / linesPerCase);
  for (let index = 0; index < cases; index += 1) {
    const generated = createCase(index, seed);
    for (const kind of (Object.keys(lists) as FeedList[]).filter((list) => list !== 'documents'))
      for (const record of lists[kind](generated))
        if (!('document' in record)) yield `${JSON.stringify({ kind, record })}\n`;
  }
}

export const generatedFirm = {
  name: 'Example & Co',
  sra_number: '000000',
  phone: '0117 496 0200',
  address: ['1 Example Street', 'Bristol BS1 1AA'],
  opening_hours: 'Monday to Friday, 9:00 am to 5:00 pm',
};

interface GeneratedCase {
  index: number;
  reference: string;
  /** @returns an integer from 0 to below the limit, the same for each call with the same purpose */
  choose(purpose: string, limit: number): number;
  day: string;
}

function createCase(index: number, seed: number): GeneratedCase {
  const choose = (purpose: string, limit: number) => {
    // FNV-1a, so that each list can be generated without the others.
    let hash = 2_166_136_261 ^ seed;
    for (const character of `${index} ${purpose}`)
      hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619);
    return ((hash ^ (hash >>> 15)) >>> 0) % limit;
  };
  const day = new Date(Date.UTC(2025, 0, 1 + choose('day', 600))).toISOString().slice(0, 10);
  return { index, reference: `EX-${String(index).padStart(6, '0')}`, choose, day };
}

const many = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, i) => make(i));
const clientsOf = ({ index, choose }: GeneratedCase) =>
  many(1 + (choose('owners', 10) < 4 ? 1 : 0), (owner) => `C-${index}-${owner}`);

const lists: Record<FeedList, (generated: GeneratedCase) => object[]> = {
  clients: (generated) =>
    clientsOf(generated).map((reference) => ({
      reference,
      first_name: ['Ada', 'Zoë', 'Tom', 'Priya', 'George'][generated.choose('name', 5)],
      last_name: `Byrne-${generated.index}`,
      email: `${reference.toLowerCase()}@example.test`,
      phone: '0117 496 0300',
    })),
  cases: (generated) => [
    {
      reference: generated.reference,
      title: `Purchase of ${generated.index} Mill Lane`,
      status: generated.choose('status', 3) === 0 ? 'completed' : 'active',
      clients: clientsOf(generated),
      handlers: [
        { name: 'Sam Hale', role: 'Your conveyancer', phone: '0117 496 0201', email: 'sam@example.test' },
      ],
    },
  ],
  matters: ({ index, reference, choose, day }) => {
    const done = choose('progress', steps.length);
    return [
      {
        reference: `${reference}-P`,
        case: reference,
        matter_type: 'purchase',
        status: 'active',
        property: {
          address_lines: [`${index} Mill Lane`],
          town: 'Bath',
          postcode: 'BA1 2AB',
          tenure: 'freehold',
          title_number: null,
          price: 20_000_000 + choose('price', 40_000_000),
        },
        milestones: steps.slice(0, done + 1).map((key, step) => ({
          key,
          status: step < done ? 'done' : 'current',
          ...(step < done ? { reached_on: day } : { waiting_since: day }),
        })),
      },
    ];
  },
  documents: ({ reference, choose, day }) =>
    many(2, (number) => ({
      reference: `${reference}-D${number}`,
      matter: `${reference}-P`,
      group: number === 0 ? 'contract' : 'searches',
      title: number === 0 ? 'Contract' : 'Search results',
      file: `documents/${choose(`file ${number}`, fileCount)}.pdf`,
      pages: 1 + choose(`pages ${number}`, 30),
      uploaded_by: 'Sam Hale',
      shared_at: `${day}T10:00:00Z`,
    })),
  searches: ({ reference, choose, day }) =>
    many(5, (number) => {
      const isPaid = choose(`paid ${number}`, 4) > 0;
      return {
        reference: `${reference}-S${number}`,
        matter: `${reference}-P`,
        code: ['CON29', 'LLC1', 'CON29DW', 'ENVIRO', 'CHANCEL'][number],
        name: ['Local authority', 'Land charges', 'Drainage and water', 'Environmental', 'Chancel'][number],
        supplier: 'The supplier',
        explanation: 'What we need to know about the property and the land around it before you exchange.',
        price: { net: 3_000 + choose(`price ${number}`, 20_000), vat_rate: 20 },
        refund_rule: 'Full refund until we order it. After that, the supplier’s fee can’t be refunded.',
        required_by: 'lender',
        ...(isPaid
          ? { status: 'ordered', paid_at: `${day}T11:00:00Z`, ordered_at: `${day}T15:00:00Z` }
          : { status: 'awaiting_payment' }),
      };
    }),
  tasks: ({ reference, day }) =>
    many(3, (number) => ({
      reference: `${reference}-T${number}`,
      case: reference,
      matter: `${reference}-P`,
      ...(number === 0
        ? { kind: 'pay_search', search: `${reference}-S0` }
        : { kind: 'read_document', document: `${reference}-D${number - 1}` }),
      title: number === 0 ? 'Pay for the local authority search' : 'Read the document',
      explanation: 'We need this from you before we can continue.',
      due_on: day,
      status: number === 2 ? 'done' : 'open',
    })),
  bills: ({ reference, day }) => [
    {
      reference: `${reference}-B`,
      case: reference,
      matter: `${reference}-P`,
      number: reference,
      description: 'Our fee for your purchase',
      issued_on: day,
      due_on_completion: true,
      net: 115_000,
      vat_rate: 20,
      vat: 23_000,
      status: 'issued',
    },
  ],
  history: ({ reference, choose, day }) =>
    many(6 + choose('history', 10), (number) => ({
      reference: `${reference}-H${number}`,
      case: reference,
      occurred_at: `${day}T${String(8 + (number % 10)).padStart(2, '0')}:30:00Z`,
      category: (['case', 'search', 'document', 'milestone', 'message'] as const)[
        choose(`kind ${number}`, 5)
      ],
      actor: 'Sam Hale',
      summary: `We wrote to the seller’s conveyancer about enquiry ${number} and are waiting for their reply.`,
    })),
};
