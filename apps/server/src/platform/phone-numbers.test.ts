import { formatPhone } from '@keyturn/format/phone-number';
import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { describe, expect, test } from 'vitest';
import { phoneProblemOf, readPhoneNumber, storedPhone } from './phone-numbers.ts';

describe('telephone numbers', () => {
  test.each([
    // As British people write them.
    ['07700 900123', '+447700900123'],
    ['07700900123', '+447700900123'],
    ['0117 496 0101', '+441174960101'],
    ['(0117) 496-0101', '+441174960101'],
    ['0117/4960101', '+441174960101'],
    ['07700.900.123', '+447700900123'],
    ['07700–900–123', '+447700900123'],
    ['020 7946 0000', '+442079460000'],
    ['01632 960123', '+441632960123'],
    ['0800 1111', '+448001111'],
    ['0 117 496 0101', '+441174960101'],
    // With the country, in all its forms.
    ['+44 7700 900123', '+447700900123'],
    ['+44 (0)117 496 0101', '+441174960101'],
    ['(+44) 117 496 0101', '+441174960101'],
    ['+4407700900123', '+447700900123'],
    ['0044 (0)117 496 0101', '+441174960101'],
    ['00447700900123', '+447700900123'],
    ['447700900123', '+447700900123'],
    ['44 (0) 7700 900123', '+447700900123'],
    // As spreadsheets and contacts change them.
    ['7700900123', '+447700900123'],
    ['7700900123.0', '+447700900123'],
    ['447700900123.00', '+447700900123'],
    ['07700900123,0', '+447700900123'],
    ["'07700 900123", '+447700900123'],
    [' 07700\u00a0900\u00a0123 ', '+447700900123'],
    ['\u202a+44 7700 900123\u202c', '+447700900123'],
    ['07700\u200b900123', '+447700900123'],
    ['０７７００ ９００１２３', '+447700900123'],
    ['tel:+44-7700-900-123', '+447700900123'],
    ['Tel: 0117 496 0101', '+441174960101'],
    ['Mobile 07700 900123', '+447700900123'],
    ['07700 900123 (mobile)', '+447700900123'],
    // The Channel Islands and the Isle of Man.
    ['07911 123456', '+447911123456'],
    ['01534 123456', '+441534123456'],
    ['07624 123456', '+447624123456'],
    ['01624 123456', '+441624123456'],
    // Extensions.
    ['0117 496 0101 ext 12', '+441174960101;ext=12'],
    ['+44 (0)117 496 0101 x12', '+441174960101;ext=12'],
    ['0117 496 0101 (ext. 12)', '+441174960101;ext=12'],
    ['0117 496 0101 extension 012', '+441174960101;ext=012'],
    ['0117 496 0101 #12', '+441174960101;ext=12'],
    ['+441174960101;ext=12', '+441174960101;ext=12'],
    // Abroad.
    ['+353 1 555 0123', '+35315550123'],
    ['00353 1 555 0123', '+35315550123'],
    ['+1 (415) 555-2671', '+14155552671'],
    ['+49 (0)30 901820', '+4930901820'],
    ['+39 06 698 82', '+390669882'],
  ])('%j is %s', (text, number) => {
    expect(readPhoneNumber(text)).toBe(number);
    expect(phoneProblemOf(text)).toBeNull();
    expect(readPhoneNumber(number)).toBe(number);
  });

  test.each([
    '0117 496 0101 / 07700 900123',
    '0117 496 0101 or 07700 900123',
    '0117 496 0101 and 07700 900123',
    '0117 496 0101, 07700 900123',
    '0117 496 0101; 07700 900123',
    '0117 496 0101 & 0117 496 0102',
    '01174960101 07700900123',
    '0117 496 0101\n07700 900123',
    'H: 0117 496 0101 M: 07700 900123',
    '+44 7700 900123 +44 7700 900124',
  ])('two numbers in one field are rejected with what to do: %j', (text) => {
    expect(readPhoneNumber(text)).toBeNull();
    expect(phoneProblemOf(text)).toBe('has more than one telephone number: give one');
  });

  test.each([
    '',
    '1',
    'n/a 1',
    'n/a',
    'none',
    '999',
    '496 0101',
    '0117 496 0101/2',
    '0117 496 010',
    '0117 496 01011',
    '4155552671',
    '+7700900123',
    '+999 123456789',
    '+44 117 496 0101 2345',
    '4.47701E+11',
    '07700 9O0123',
    '07700 900123 ask for Jo',
    'javascript:alert(1)',
    '07700 900123'.padEnd(51),
  ])('rejects a text that is not a complete telephone number: %j', (text) => {
    expect(readPhoneNumber(text)).toBeNull();
    expect(phoneProblemOf(text)).toBe('is not a telephone number, such as 0117 496 0101 or +353 1 555 0123');
  });

  test('a stored text that is not a number stays as it is', () => {
    expect(['n/a 1', '0117 496 0101'].map(storedPhone)).toEqual(['n/a 1', '+441174960101']);
  });

  test('the shown form of a British number is the national one of the library', () => {
    const digit = fc.integer({ min: 0, max: 9 });
    const national = fc
      .tuple(fc.constantFrom(1, 1, 1, 2, 3, 5, 7, 7, 8, 9), fc.array(digit, { minLength: 9, maxLength: 9 }))
      .map(([first, others]) => `${first}${others.join('')}`);
    const short = fc.array(digit, { minLength: 4, maxLength: 4 }).map((last) => `16977${last.join('')}`);
    fc.assert(
      fc.property(fc.oneof({ weight: 20, arbitrary: national }, short), (digits) => {
        const shown = formatPhone(`+44${digits}`);
        expect(shown).toBe(parsePhoneNumberFromString(`+44${digits}`)?.formatNational());
        expect(readPhoneNumber(shown)).toBe(`+44${digits}`);
      }),
      { numRuns: 20_000 },
    );
  });

  test.each([
    '+44800123456',
    '+448001111',
    '+448454647',
    '+441387312345',
    '+441539412345',
    '+441946712345',
    '+441768312345',
    '+44169772345',
    '+441204123456',
    '+44120412345',
    '+447624123456',
    '+447640123456',
    '+447012345678',
  ])('%s is shown as the library shows it', (number) => {
    expect(formatPhone(number)).toBe(parsePhoneNumberFromString(number)?.formatNational());
  });

  test('the shown form of any number is read as the same number', () => {
    const numbers = [
      '+441174960101;ext=12',
      '+35315550123',
      '+14155552671',
      '+4930901820',
      '+390669882',
      '+33612345678',
      '+6591234567',
      '+8613812345678',
    ];
    expect(numbers.map((number) => readPhoneNumber(formatPhone(number)))).toEqual(numbers);
  });
});
