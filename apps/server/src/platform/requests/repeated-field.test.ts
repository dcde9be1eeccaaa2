import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasRepeatedField } from './repeated-field.ts';

const isRepeatedIn = (text: string) => hasRepeatedField(text, JSON.parse(text));

test.each([
  ['{"a":1,"a":1}', true],
  ['{"a":1,"\\u0061":2}', true],
  ['{"a":"\\\\","a":2}', true],
  ['[{"a":{"b":1}},{"a":{"b":1,"c":[],"b":2}}]', true],
  ['{"__proto__":1,"__proto__":2}', true],
  ['{"a":1,"A":2}', false],
  ['{"a":{"a":{"a":null}},"b":[{"a":1},{"a":1}]}', false],
  ['{"__proto__":{"a":1},"a":":\\":\\\\"}', false],
  ['":"', false],
])('fault 58: finds a repeated field in %s: %s', (text, expected) => {
  expect(isRepeatedIn(text)).toBe(expected);
});

test('fault 58: finds no repeated field in any JSON text until one of its fields is written twice', () => {
  const property = fc.property(
    fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { minKeys: 1 }),
    fc.nat({ max: 3 }),
    (fields, spaces) => {
      const text = JSON.stringify(fields, null, spaces);
      expect(isRepeatedIn(text)).toBe(false);
      const [name] = Object.keys(fields);
      expect(isRepeatedIn(`{${JSON.stringify(name)} : 0,${text.slice(1)}`)).toBe(true);
    },
  );
  fc.assert(property, { numRuns: 50 });
});
