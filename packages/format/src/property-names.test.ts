import { describe, expect, test } from 'vitest';
import { propertyAddress, propertyName } from './property-names.ts';

const home = (address_lines: string[]) => ({ address_lines, town: 'Bath', postcode: 'BA1 1AA' });

describe('property names', () => {
  test.each([
    [['Flat 3', '21 Harbour View'], 'Flat 3, 21 Harbour View'],
    [['3', 'Harbour View'], '3, Harbour View'],
    [['Plot 12', 'Meadow Rise'], 'Plot 12, Meadow Rise'],
    [['14 Alder Row', 'Twerton'], '14 Alder Row'],
    [['Flat House'], 'Flat House'],
    [[], 'Bath'],
  ])('a property at %j is called %s', (lines, name) => {
    expect(propertyName(home(lines))).toBe(name);
  });

  test('the address of a property includes its postcode', () => {
    expect(
      propertyAddress({
        address_lines: ['The Old Chapel', 'Priory Lane'],
        town: 'Frome',
        postcode: 'BA11 4QX',
      }),
    ).toBe('The Old Chapel, Priory Lane, Frome BA11 4QX');
  });
});
