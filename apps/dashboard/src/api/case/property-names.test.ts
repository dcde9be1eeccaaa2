import { describe, expect, test } from 'vitest';
import { matterFixture } from '../../../fixtures/entities.ts';
import { propertyAddress, propertyName } from './property-names.ts';

const home = (address_lines: string[]) => ({ ...matterFixture().property, address_lines, town: 'Bath' });

describe('a home', () => {
  test.each([
    [['Flat 3', '21 Harbour View'], 'Flat 3, 21 Harbour View'],
    [['3', 'Harbour View'], '3, Harbour View'],
    [['Plot 12', 'Meadow Rise'], 'Plot 12, Meadow Rise'],
    [['14 Alder Row', 'Twerton'], '14 Alder Row'],
    [['Flat House'], 'Flat House'],
    [[], 'Bath'],
  ])('at %j is called %s', (lines, name) => {
    expect(propertyName(home(lines))).toBe(name);
  });

  test('is written with its postcode', () => {
    expect(propertyAddress(matterFixture().property)).toBe('The Old Chapel, Priory Lane, Frome BA11 4QX');
  });
});
