import { CellProblem, quote } from './read-cells.ts';

// cspell:ignore exors executrix gmbh

export interface PersonName {
  title?: string;
  first_name: string;
  last_name: string;
}

const titles = /^(mr|mrs|ms|miss|mx|dr|prof|professor|sir|dame|lord|lady|rev|revd|reverend)\.?\s+(?=\S)/i;

/**
 * Divides a full name: the last word is the last name, with particles before it such as “de la” and “Mc”, unless a comma says
 * otherwise.
 * @throws CellProblem
 */
export function readFullName(text: string): PersonName {
  assertOnePerson(text);
  const { title, name } = withoutTitle(text);
  const [, lastFirst, firstLast] = /^([^,]+), ([^,]+)$/.exec(name) ?? [];
  const [first = '', last = ''] = lastFirst ? [firstLast, lastFirst] : divide(name.split(' '));
  if (first === '' || last === '' || !name.includes(' '))
    throw new CellProblem(`${quote(text)} needs a first and a last name`);
  return { ...(title ? { title } : {}), first_name: first, last_name: last };
}

function withoutTitle(text: string): { title: string | undefined; name: string } {
  const [, title] = titles.exec(text) ?? [];
  const rest = title ? text.slice(title.length).replace(/^\./, '') : text;
  return { title, name: rest.trim().replaceAll(/\s+/g, ' ') };
}

function divide(words: readonly string[]): [first: string, last: string] {
  let start = words.length - 1;
  while (start > 1 && isParticle(words[start - 1] ?? '')) start -= 1;
  return [words.slice(0, start).join(' '), words.slice(start).join(' ')];
}

/** With a capital, the others are first names too: Van, Le, Bin. */
const isParticle = (word: string) =>
  /^(?:van|den|der|ten|ter|zu|do|le|al|el|bin|bint|ibn)$/.test(word) ||
  /^(?:de|del|della|di|da|das|dos|du|la|las|los|von|mc|mac|o['’]?|st\.?)$/i.test(word);

const capacity =
  'is a capacity, not a name. Enter the person who acts, and describe the capacity in the case title';
const organisation =
  'is an organisation. Enter the person who acts for it, and name the organisation in the case title';
/** What a cell with a person’s name contains instead, with what to do. */
const otherNames: [pattern: RegExp, message: string][] = [
  [
    /\b(?:deceased|dec['’]?d|the late|late of)\b|\(dec\.?\)/i,
    'is about someone who has died. Enter the person who acts for them, and sign them in with their own address',
  ],
  [
    /\b(?:executors?|exors?|executrix|personal representatives?|trustees?|attorneys?|administrators?|estate of|c\/o)\b/i,
    capacity,
  ],
  [
    /\b(?:ltd|limited|plc|llp|cic|inc|gmbh|housing association|building society|company|holdings|properties|developments|investments|nominees|foundation|university|solicitors|borough of|city of)\b|(?:&|\band) co\b/i,
    organisation,
  ],
  [
    /[&+/]|\sand\s|\bmr\.? (?:and |& )?mrs\b/i,
    'is more than one person. Enter each in separate columns, with a separate email address',
  ],
];

/**
 * Checks that a cell is the name of one person, who signs in and signs documents.
 * @throws CellProblem with what to do
 */
export function assertOnePerson(text: string): void {
  const found = otherNames.find(([pattern]) => pattern.test(text));
  if (found) throw new CellProblem(`${quote(text)} ${found[1]}`);
  const [word] = /\b(?:deputy|charity|council)\b/i.exec(text) ?? [];
  if (word === undefined || isPersonCalled(text)) return;
  const message = word.toLowerCase() === 'deputy' ? capacity : organisation;
  throw new CellProblem(
    `${quote(text)} ${message}. If it is a person’s name, write the title too, such as Ms`,
  );
}

/**
 * Whether a name with the word Deputy, Charity or Council is that of a person: “Ben Council” and “Charity Jones”, but not “Leeds
 * Council”. A title before the name decides where the words do not.
 */
function isPersonCalled(text: string): boolean {
  const { title, name } = withoutTitle(text);
  const words = name
    .replace(/^([^,]+), ([^,]+)$/, (_, last: string, first: string) => `${first} ${last}`)
    .toLowerCase()
    .split(' ');
  if (words.length < 2 || !words.every((word) => /^[\p{L}\p{M}.'’-]+$/u.test(word))) return false;
  const others = words.slice(words[0] === 'charity' ? 1 : 0, -1);
  const hasOwnPlace =
    (words[0] === 'charity' || /^(?:deputy|charity|council)$/.test(words.at(-1) ?? '')) &&
    others.every((word) => !/^(?:deputy|charity|council|as|for|of|the)$/.test(word));
  if (!hasOwnPlace) return false;
  return title !== undefined || (words.length === 2 && !words.some((word) => groupWords.has(word)));
}

/** Words before “council”, “charity” and “deputy”, and after “charity”, that no person is called. Some places are left to a title. */
const groupWords = new Set(
  `acting animal appointed armed arts association bank british cancer children church city commission community county court
   district education english family general health heart hospice hospital housing interim joint lay legal local london medical
   metropolitan national panel parish privy professional registered relief rescue research royal school scottish security shop
   sole the town trust unitary urban welfare welsh wildlife youth
   aberdeen angus barking barnet barnsley bath bedford belfast bexley birmingham blackburn blackpool bolton bournemouth bracknell
   bradford brent brighton bristol bromley buckinghamshire burnley bury calderdale cambridge camden canterbury cardiff carlisle
   cheltenham chester colchester conwy cornwall coventry crawley croydon cumbria darlington derby derbyshire devon doncaster
   dorset dudley dundee durham ealing eastbourne edinburgh enfield essex exeter falkirk fife gateshead glasgow gloucester
   gloucestershire greenwich guildford gwynedd hackney halton hampshire haringey harrow hartlepool hastings havering hereford
   herefordshire hertfordshire highland hillingdon hounslow hull ipswich islington kensington kent kirklees lambeth lancashire
   lancaster leeds leicester leicestershire lewisham lincoln lincolnshire liverpool luton maidstone manchester medway merton
   middlesbrough monmouthshire newcastle newham newport norfolk northampton northamptonshire northumberland norwich nottingham
   nottinghamshire oldham oxford oxfordshire pembrokeshire peterborough plymouth poole portsmouth powys preston reading redbridge
   redditch richmond rochdale rotherham rutland salford salisbury sandwell sefton sheffield shropshire slough solihull somerset
   southampton southend southwark staffordshire stevenage stirling stockport stoke suffolk sunderland surrey sussex sutton swansea
   swindon tameside telford thurrock torbay trafford wakefield walsall warrington warwick warwickshire watford westminster wigan
   wiltshire winchester windsor wirral woking wokingham wolverhampton worcester worcestershire worthing wrexham york yorkshire`.split(
    /\s+/,
  ),
);
