import { expect, test } from 'vitest';
import { hasCardNumber, passesLuhn } from '../card-numbers.ts';
import { findBankDetails, hasBankDetails } from './bank-details.ts';

// cspell:ignore NWBK MIDL BUKB LOYD

/* Generated texts: the same on every run. */

const isRefused = (text: string) => hasCardNumber(text) || hasBankDetails(text);

/** Returns whole numbers from 0 to below a limit, always in the same order (mulberry32). */
function numbersFrom(seed: number) {
  let state = seed;
  return (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

function generator(seed: number) {
  const below = numbersFrom(seed);
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const digits = (count: number) => Array.from({ length: count }, () => below(10)).join('');
  return { below, pick, digits };
}

test('refuses fewer than one in a thousand ordinary sentences with days, telephone numbers, meters and files', () => {
  const { below, pick, digits } = generator(1);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = () => {
    const [date, month, year] = [two(1 + below(28)), two(1 + below(12)), String(2019 + below(12))];
    const mark = pick(['.', '/', '-', ' ']);
    return pick([
      `${date}${pick(['.', '/', '-'])}${month}${pick(['.', '/', '-'])}${year.slice(2)}`.replace(
        /^(\d\d)(.)(\d\d)./,
        '$1$2$3$2',
      ),
      `${date}${mark}${month}${mark}${year}`,
      `${year}-${month}-${date}`,
      `${Number(date)} November ${year}`,
    ]);
  };
  const phone = () =>
    pick([
      `020 7946 0${digits(3)}`,
      `0117 496 0${digits(3)}`,
      `07700 900${digits(3)}`,
      `07700 900 ${digits(3)}`,
      `01632 960${digits(3)}`,
      `(01225) ${digits(6)}`,
      `01225 ${digits(2)} ${digits(2)} ${digits(2)}`,
      `+44 117 496 0${digits(3)}`,
      `+44 (0)20 7946 0${digits(3)}`,
      `0800 ${digits(6)}`,
      `0300 006 0${digits(3)}`,
      `02079460${digits(3)}`,
      `020-7946-0${digits(3)}`,
    ]);
  const money = () =>
    pick([
      `£${1 + below(900)},${digits(3)}`,
      `£${1 + below(900)},${digits(3)}.${digits(2)}`,
      `£${digits(6)}`,
    ]);
  const time = () => `${two(8 + below(10))}${pick([':', '.'])}${pick(['00', '15', '30'])}`;
  const title = () => `${pick(['WS', 'AV', 'BK', 'TGL', 'K'])}${digits(pick([5, 6]))}`;
  const file = () =>
    pick([
      `KT-2026-00${digits(3)}`,
      digits(6),
      digits(8),
      `${digits(6)}.${digits(3)}`,
      `${digits(5)}/${digits(2)}`,
    ]);
  const templates = [
    () => `Please call us on ${phone()} before ${day()}.`,
    () => `${day()} - ${day()}: our office is closed. In an emergency, call ${phone()}.`,
    () => `Opening hours from ${day()} to ${day()}: ${time()}-${time()}, otherwise ${phone()} or ${phone()}.`,
    () => `We exchanged on ${day()} and complete on ${day()} at ${time()}. The balance is ${money()}.`,
    () => `The title number is ${title()}, the title plan is of ${day()} and the price ${money()}.`,
    () => `Our file number is ${file()}. The seller’s lawyer wrote on ${day()} about ${money()}.`,
    () =>
      `The gas meter ${digits(pick([7, 8, 10]))} read ${digits(5)} on ${day()}, and the electricity meter ${digits(5)}.`,
    () =>
      `Water account number ${digits(pick([8, 10]))}: the reading of ${day()} is ${digits(pick([4, 5]))}.`,
    () =>
      `The MPAN is 1${digits(1)} ${digits(4)} ${digits(4)} ${digits(3)}; the supplier’s number is ${phone()}.`,
    () =>
      `Planning permission ${two(below(27))}/${digits(5)}/FUL was granted on ${day()}, building regulations ${digits(2)}/${digits(4)}.`,
    () =>
      `Flats ${1 + below(9)}, ${11 + below(9)} and ${21 + below(9)}, ${1 + below(200)} Mill Lane, Bath BA1 ${below(9)}AB, UPRN ${digits(12)}.`,
    () =>
      `Searches take ${5 + below(9)} to ${15 + below(9)} working days; we ordered them on ${day()} for ${money()} and ${money()}.`,
    () => `Quote ${file()} when you call ${phone()}, Monday to Friday ${time()} to ${time()}.`,
    () => `Bank holidays: ${day()}, ${day()} and ${day()}. We answer ${phone()} again on ${day()}.`,
    () =>
      `The lease of ${day()} runs for ${pick([99, 125, 999])} years; the ground rent is ${money()} from ${day()}.`,
    () =>
      `Your mortgage offer ${digits(pick([8, 9]))} of ${day()} expires on ${day()}. Your bank’s number is ${phone()}.`,
    () =>
      `Years ${2015 + below(5)}-${2020 + below(6)}: service charge ${money()}, ${money()} and ${money()}, paid on ${day()}.`,
    () =>
      `Land Registry application ${digits(2)}${pick(['A', 'B'])}${digits(4)} of ${day()}, fee ${money()}, call ${phone()}.`,
  ];
  const refused: string[] = [];
  for (let count = 0; count < 10_000; count += 1) {
    const text = pick(templates)();
    if (isRefused(text)) refused.push(text);
  }
  expect(refused.slice(0, 20), `${refused.length} refused`).toHaveLength(Math.min(refused.length, 9));
});

test('finds two thousand card numbers, sort codes with account numbers and IBANs as people write them', () => {
  const { below, pick, digits } = generator(2);
  const mark = () =>
    pick([' ', '-', '\u2010', '\u2011', '\u2012', '–', '—', '\u2212', '/', '.', ' - ', '\u00a0', '\u202f']);
  const joined = (groups: readonly string[]) => groups.join(mark());
  const split = (number: string, sizes: readonly number[]) => {
    let start = 0;
    return sizes.map((size) => {
      start += size;
      return number.slice(start - size, start);
    });
  };
  const card = () => {
    const [prefix, length, sizes] = pick([
      ['4', 16, [4, 4, 4, 4]],
      ['4', 19, [4, 4, 4, 4, 3]],
      [`5${1 + below(5)}`, 16, [4, 4, 4, 4]],
      [`2${3 + below(4)}`, 16, [4, 4, 4, 4]],
      ['37', 15, [4, 6, 5]],
      ['36', 14, [4, 6, 4]],
      ['6011', 16, [4, 4, 4, 4]],
    ] as [string, number, number[]][]);
    const start = prefix + digits(length - prefix.length - 1);
    const number = [...'0123456789'].map((last) => start + last).find(passesLuhn) as string;
    const written = pick([number, joined(split(number, sizes)), [...number].join(pick([' ', '-']))]);
    return pick([
      written,
      `My card is ${written}.`,
      `Card no:${written} exp 12/29`,
      `Call 020 7946 0000, card ${written}`,
    ]);
  };
  const pairs = (value: string) => split(value, [2, 2, 2]);
  const bank = () => {
    const code = pick([
      `${20 + below(70)}${digits(4)}`,
      `0${digits(1)}${digits(4)}`,
      `${1 + below(28)}0126`.padStart(6, '0'),
    ]);
    const number = pick([digits(8), `0${digits(7)}`]);
    const sort = pick([code, joined(pairs(code)), joined(pairs(code)), [...code].join(' ')]);
    const account = pick([number, joined(split(number, [4, 4])), [...number].join(' ')]);
    const codeName = pick(['Sort code', 'sort code:', 'S/C', 'Sort Code -', 'sort code is']);
    return pick([
      `${codeName} ${sort}, account ${account}`,
      `${codeName} ${sort} Acc no ${account}`,
      `Account number: ${account}, ${codeName} ${sort}`,
      `Our account is ${account} and our ${codeName} ${sort}.`,
      `Pay to ${code} ${number}`,
      `Please send the money to ${pairs(code).join('-')} ${number} by 27.11.26`,
      `${pairs(code).join('-')} / ${number}`,
      `Bank: Lloyds ${pairs(code).join('-')}, Keyturn Legal LLP, account ${account}`,
      `${code}${number}`,
      `A/c ${number}, ${codeName} ${pairs(code).join('–')}. Call 020 7946 0000.`,
    ]);
  };
  const iban = () => {
    const rest = `${pick(['BUKB', 'NWBK', 'LOYD', 'MIDL'])}${digits(14)}`;
    const check = (value: string) =>
      [...value].reduce((sum, character) => {
        const part = Number.parseInt(character, 36);
        return (sum * (part > 9 ? 100 : 10) + part) % 97;
      }, 0);
    const number = `GB${String(98 - check(`${rest}GB00`)).padStart(2, '0')}${rest}`;
    return pick([
      number,
      `IBAN ${split(number, [4, 4, 4, 4, 4, 2]).join(pick([' ', '-', '\u00a0', '\u2011']))}, thank you`,
      number.toLowerCase(),
    ]);
  };
  const missed: string[] = [];
  const uncertain: string[] = [];
  for (let count = 0; count < 2_000; count += 1) {
    const text = pick([card, bank, bank, iban])();
    if (!isRefused(text)) missed.push(text);
    if (!hasCardNumber(text) && findBankDetails(text) !== 'certain') uncertain.push(text);
  }
  expect(missed.slice(0, 20), `${missed.length} missed`).toEqual([]);
  // Only bare numbers are left to a person.
  expect(uncertain.filter((text) => /[a-z]/i.test(text))).toEqual([]);
});
