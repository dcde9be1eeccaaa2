import { type Static, type TSchema, Type } from 'typebox';
import { OneOf } from './entities.ts';
import {
  caseSearchOutcomes,
  caseSearchStatuses,
  caseStatuses,
  documentGroups,
  historyCategories,
  matterTypes,
  milestoneActors,
  milestoneStatuses,
  partyRoles,
  searchRequirers,
  taskKinds,
  taskStatuses,
  tenures,
} from './vocabulary.ts';

/*
 * The case feed: how a firm's case-management system puts its cases into Keyturn. Flat lists; every record has the
 * firm's own `reference` as its key and names those it belongs to by theirs. What is not known is left out.
 */

export const feedFormat = 'keyturn-case-feed/1';

const Strict = <Properties extends Record<string, TSchema>>(description: string, properties: Properties) =>
  Type.Object(properties, { additionalProperties: false, description });
const Maybe = Type.Optional;
/** Something to read, in any script. */
const Text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description });
const Reference = (description: string) => Text(100, description);
const ownReference = Reference("The firm's own key for this record; it stays the same for ever");
const Word = <const Words extends readonly string[]>(words: Words, description: string) => ({
  ...OneOf(words),
  description,
});
const Pence = (description: string, minimum = 0) =>
  Type.Integer({ minimum, maximum: 1_000_000_000, description: `${description}, in pence` });
const Day = (description: string) =>
  Type.String({
    format: 'date',
    pattern: '^(19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}$',
    description: `${description}: a calendar day in England and Wales, YYYY-MM-DD`,
  });
const Instant = (description: string) =>
  Type.String({
    format: 'date-time',
    pattern:
      '^(19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})$',
    description: `${description}: ISO 8601 with its zone, 2026-11-20T09:12:00Z`,
  });
const Phone = (description: string) => Text(50, description);
const Email = (description: string) => Type.String({ format: 'email', maxLength: 320, description });
const Position = (among: string) =>
  Maybe(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: `Its place among ${among}, smallest first; left out, they stand in the order in which they first came`,
    }),
  );

export const FeedFirm = Strict('The firm, as its clients see it. The first feed must have it', {
  name: Text(200, "The firm's name"),
  sra_number: Text(50, 'Its number with its regulator'),
  phone: Phone('The number that clients know'),
  address: Type.Array(Text(200, 'One line'), {
    minItems: 1,
    maxItems: 10,
    description: 'Its postal address',
  }),
  opening_hours: Text(200, 'When the telephone is answered, in words'),
});

export const FeedClient = Strict('A person who signs in; joint owners are several', {
  reference: ownReference,
  title: Maybe(Text(50, 'Ms, Mr, Dr …')),
  first_name: Text(200, 'As the person writes it, in any script'),
  last_name: Text(200, 'As the person writes it, in any script'),
  email: Email('Signs in with this; no two clients have the same, in capitals or not'),
  phone: Maybe(Phone('To call the client')),
  password: Maybe(
    Text(128, 'A first password, for a first import: taken when the client is new, and never afterwards'),
  ),
});

export const FeedCase = Strict('One instruction of the firm, with one matter or more', {
  reference: Reference("The firm's own key, which clients see: KT-2026-00421"),
  title: Text(300, 'Sale of 14 Alder Row and purchase of The Old Chapel'),
  status: Word(caseStatuses, 'How the case stands'),
  clients: Type.Array(Reference('Reference of a client'), {
    minItems: 1,
    maxItems: 50,
    description: 'All who may see this case, and nobody else',
  }),
  handlers: Type.Array(
    Strict('Somebody at the firm', {
      name: Text(200, 'First and last name'),
      role: Text(200, 'What they do for the client: "Your conveyancer"'),
      phone: Phone('Their own number'),
      email: Email('Their own address'),
    }),
    { minItems: 1, maxItems: 20, description: 'Who looks after it; the first is the one to call' },
  ),
});

export const FeedMilestone = Strict('A step of the matter. What is left out is as the standard path has it', {
  key: Text(100, 'Which step: a key of the standard path of this type of matter'),
  status: Word(milestoneStatuses, 'How the step stands; several can be current'),
  title: Maybe(Text(200, "Another name for it than the path's")),
  explanation: Maybe(Text(1000, 'What it means for the client, in plain English')),
  actor: Maybe(Word(milestoneActors, 'Who has to act; `you` is the client, `us` the firm')),
  waiting_for: Maybe(Text(200, 'Who holds it, by name: "You, then Somerset Council"')),
  reached_on: Maybe(Day('When it was done')),
  expected_from: Maybe(Day('The earliest that it is expected')),
  expected_to: Maybe(Day('The latest that it is expected')),
  waiting_since: Maybe(Day('Since when it is held up')),
  usual_working_days: Maybe(
    Strict('How long it usually takes', {
      from: Type.Integer({ minimum: 0, maximum: 1000, description: 'Working days, at least' }),
      to: Type.Integer({ minimum: 0, maximum: 1000, description: 'Working days, at most' }),
    }),
  ),
  next_update_by: Maybe(Day('When the firm next writes about it')),
});

export const FeedMatter = Strict('One transaction of a case', {
  reference: ownReference,
  case: Reference('Reference of its case; never changes'),
  matter_type: Word(matterTypes, 'Its type, which gives it its path of milestones'),
  status: Word(caseStatuses, 'How the matter stands'),
  property: Strict('The home', {
    address_lines: Type.Array(Text(200, 'One line'), {
      minItems: 1,
      maxItems: 6,
      description: 'Without town and postcode',
    }),
    town: Text(100, 'Post town'),
    postcode: Text(20, 'Postcode'),
    tenure: Word(tenures, 'How it is owned'),
    title_number: Maybe(Text(50, 'At HM Land Registry')),
    price: Maybe(Pence('The price of the home')),
  }),
  target_exchange_on: Maybe(Day('When everybody hopes to exchange')),
  target_completion_on: Maybe(Day('When everybody hopes to complete')),
  exchanged_on: Maybe(Day('When contracts were exchanged')),
  completed_on: Maybe(Day('When it was completed')),
  parties: Maybe(
    Type.Array(
      Strict('Somebody else who takes part', {
        role: Word(partyRoles, 'As what'),
        name: Text(200, 'A firm or a person'),
        contact: Maybe(Text(200, 'How they are reached')),
      }),
      { maxItems: 50, description: 'Others who take part' },
    ),
  ),
  milestones: Type.Array(FeedMilestone, {
    maxItems: 100,
    description: 'The steps that have begun or have something to say; all others are upcoming',
  }),
  position: Position('the matters of its case'),
});

export const FeedPrice = Strict(
  'What the client pays: `net` and `vat_rate`, and Keyturn reckons the VAT; or all four, which then must add up',
  {
    net: Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'Before VAT, in pence' }),
    vat_rate: Type.Number({ minimum: 0, maximum: 100, description: 'Percent, with at most two decimals' }),
    vat: Maybe(Pence('VAT. Left out: `net` at `vat_rate`, to the nearest penny, halves up')),
    gross: Maybe(Pence('With VAT; is `net` and `vat` together')),
  },
);

export const FeedSearch = Strict('A property search on a matter', {
  reference: ownReference,
  matter: Reference('Reference of its matter; stays within the case'),
  code: Text(50, 'LLC1_CON29R, CON29DW, ENVIRO …'),
  name: Text(200, 'What clients call it: "Local authority search"'),
  supplier: Text(200, 'Who makes it'),
  explanation: Text(1000, 'Why it is done, in plain English'),
  price: FeedPrice,
  refund_rule: Text(1000, 'What is given back when, in words'),
  required_by: Word(searchRequirers, 'Who asks for it'),
  status: Word(
    caseSearchStatuses,
    'How it stands; `ordered` from the start when the firm pays for it. What was paid in Keyturn stays paid',
  ),
  expected_on: Maybe(Day('When the result is expected')),
  paid_at: Maybe(Instant('When it was paid outside Keyturn')),
  ordered_at: Maybe(Instant('When it was ordered')),
  returned_at: Maybe(Instant('When the result came')),
  valid_until: Maybe(Day('How long the result may be relied on')),
  delayed_reason: Maybe(Text(500, 'Why it takes longer, in words for the client')),
  outcome: Maybe(Word(caseSearchOutcomes, '`clear`, or `attention` for points to note; once it is back')),
  outcome_summary: Maybe(Text(1000, 'What the result means, in plain English')),
  result_document: Maybe(Reference('Reference of the document with the result; of the same case')),
  position: Position('the searches of its matter'),
});

export const FeedDocument = Strict('A document that is shared with the clients of the case', {
  reference: ownReference,
  matter: Reference('Reference of its matter; stays within the case'),
  group: Word(documentGroups, 'The folder that it goes into'),
  title: Text(300, 'What clients call it'),
  file: Text(
    500,
    'Where it is: a path relative to the feed file, inside its folder. PDF, PNG or JPEG, at most 25 MB',
  ),
  pages: Maybe(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Number of pages' })),
  uploaded_by: Text(200, 'Who shared it'),
  shared_at: Instant('When it was shared'),
  supersedes: Maybe(Reference('Reference of the version before it; of the same matter')),
  signature_required: Maybe(Type.Boolean({ description: 'Whether the client has to sign it' })),
});

export const FeedTask = Strict('Something that the client has to do', {
  reference: ownReference,
  case: Reference('Reference of its case; never changes'),
  matter: Maybe(Reference('Reference of the matter that it is about; of the same case')),
  search: Maybe(Reference('Reference of the search that it is about; `pay_search` must have it')),
  document: Maybe(
    Reference('Reference of the document that it is about; `read_document` and `sign_document` must have it'),
  ),
  kind: Word(taskKinds, 'What is to be done'),
  title: Text(200, 'In a few words: "Read and sign the sale contract"'),
  explanation: Text(1000, 'Why, or what it means'),
  due_on: Maybe(Day('By when')),
  amount: Maybe(Pence('What is to be paid; `pay` must have it', 1)),
  status: Word(taskStatuses, 'Whether it is done'),
  position: Position('the tasks of its case'),
});

export const FeedHistoryEntry = Strict('One line of what happened on a case', {
  reference: ownReference,
  case: Reference('Reference of its case; never changes'),
  occurred_at: Instant('When it happened'),
  category: Word(historyCategories, 'What it is about'),
  actor: Text(200, 'Who did it'),
  summary: Text(1000, 'What happened, in words for the client'),
  document: Maybe(Reference('Reference of the document that it speaks of; of the same case')),
});

const List = <Schema extends TSchema>(schema: Schema, description: string) =>
  Maybe(Type.Array(schema, { description }));

export const CaseFeed = Type.Object(
  {
    format: Type.Literal(feedFormat, { description: 'Says what this file is' }),
    as_of: Day('The day that this feed speaks of'),
    firm: Maybe(FeedFirm),
    clients: List(FeedClient, 'The people'),
    cases: List(FeedCase, 'The cases'),
    matters: List(FeedMatter, 'The matters of the cases'),
    documents: List(FeedDocument, 'The documents of the matters'),
    searches: List(FeedSearch, 'The searches of the matters'),
    tasks: List(FeedTask, 'What clients have to do'),
    history: List(FeedHistoryEntry, 'What happened'),
  },
  {
    additionalProperties: false,
    title: 'Keyturn case feed',
    description: "Clients, cases and what belongs to them, from a conveyancing firm's case-management system",
  },
);
export type CaseFeed = Static<typeof CaseFeed>;

/** The lists of a feed, in the order in which they are taken, and the schema of their records. */
export const feedRecords = {
  clients: FeedClient,
  cases: FeedCase,
  matters: FeedMatter,
  documents: FeedDocument,
  searches: FeedSearch,
  tasks: FeedTask,
  history: FeedHistoryEntry,
} as const;
export type FeedList = keyof typeof feedRecords;
export type FeedRecord<List extends FeedList> = Static<(typeof feedRecords)[List]>;
