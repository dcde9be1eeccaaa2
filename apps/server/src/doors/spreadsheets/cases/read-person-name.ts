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
  const [first = '', last = ''] = lastFirst
    ? [firstLast, lastFirst]
    : name.includes(' ')
      ? divide(name.split(' '))
      : divideWithoutSpace(name);
  if (first === '' || last === '') throw new CellProblem(`${quote(text)} needs a first and a last name`);
  return { ...(title ? { title } : {}), first_name: first, last_name: last };
}

/** Reads the name of one person whose first and last names are in two cells. @throws CellProblem */
export function readDividedName(first: string | undefined, last: string | undefined): PersonName {
  if (first === undefined || last === undefined) throw new CellProblem('needs first and last names');
  for (const text of [first, last]) refuseAny(noNames, text);
  assertOnePerson(`${first} ${last}`);
  return { first_name: first, last_name: last };
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

/**
 * Divides a Chinese, Japanese or Korean name, which has no space after the family name. The family name has one character, or two
 * in a longer name and in those that are always written with two.
 */
function divideWithoutSpace(name: string): [first: string, last: string] {
  if (!/^[\p{scx=Han}\p{scx=Hangul}\p{scx=Hiragana}\p{scx=Katakana}]+$/u.test(name)) return ['', name];
  const letters = [...name];
  const length = letters.length > 3 || familyNamesOfTwo.test(name) ? 2 : 1;
  return [letters.slice(length).join(''), letters.slice(0, length).join('')];
}

const familyNamesOfTwo =
  /^(?:欧阳|歐陽|司马|司馬|上官|诸葛|諸葛|司徒|夏侯|皇甫|尉迟|尉遲|公孙|公孫|慕容|令狐|남궁|황보|제갈|선우|독고|사공)/;

const capacity =
  'is a capacity, not a name. Enter the person who acts, and describe the capacity in the case title';
const organisation =
  'is an organisation. Enter the person who acts for it, and name the organisation in the case title';
type Refusals = [pattern: RegExp, message: string][];

/** What a cell with a name, or a part of one, contains instead, with what to do. */
const noNames: Refusals = [
  [/^=/, 'is a formula. Copy the column, paste its values in place of the formulas, and save the file again'],
  [/^#[A-Z/0]+[!?]?(?:\s|$)/, 'is an error of the spreadsheet program. Enter the name itself'],
  [
    /^\P{L}*$|^(?:n\/a|n\.a\.|tbc|tba|tbd|unknown|to be (?:confirmed|advised))$/iu,
    'is not a name. Enter the name, or leave all cells of this client empty',
  ],
];

/** What a cell with a person’s name names instead, with what to do. */
const otherNames: Refusals = [
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
function assertOnePerson(text: string): void {
  refuseAny([...noNames, ...otherNames], text);
  const [word] = /\b(?:deputy|charity|council)\b/i.exec(text) ?? [];
  if (word === undefined || isPersonCalled(text)) return;
  const message = word.toLowerCase() === 'deputy' ? capacity : organisation;
  throw new CellProblem(
    `${quote(text)} ${message}. If it is a person’s name, write the title too, such as Ms`,
  );
}

function refuseAny(refusals: Refusals, text: string): void {
  const found = refusals.find(([pattern]) => pattern.test(text));
  if (found) throw new CellProblem(`${quote(text)} ${found[1]}`);
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
