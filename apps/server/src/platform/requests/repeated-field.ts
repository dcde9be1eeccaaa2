import { DomainError } from '../domain-error.ts';

/** Completes a sentence about a text for which `hasRepeatedField` is true. */
export const repeatedField = 'has the same field twice in one object';

/** The answer to a request with such a body. */
export const repeatedFieldError = () =>
  new DomainError('malformed_json', { message: `The request body ${repeatedField}.` });

/**
 * Tells whether an object in a JSON text has a field twice. `JSON.parse` keeps only the last, so that two programs could
 * read such a text differently. Takes time in proportion to the length of the text, and much less than parsing it.
 * @param text the JSON text, which is valid
 * @param value what `JSON.parse` has returned for it
 */
export function hasRepeatedField(text: string, value: unknown): boolean {
  return countNames(text) !== countFields(value);
}

/** Counts the strings that are followed by a colon. */
function countNames(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    at = endOfString(text, at + 1);
    while (isSpace(text.charCodeAt(at))) at += 1;
    if (text.charCodeAt(at) === colon) count += 1;
  }
  return count;
}

/** Finds the end of a string, behind its closing quote: the first one after an even number of backslashes. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
}

/** Counts the fields of all objects. Not recursive: a value can be nested as deeply as its text is long. */
function countFields(value: unknown): number {
  let count = 0;
  const objects = isObject(value) ? [value] : [];
  for (let next = objects.pop(); next; next = objects.pop()) {
    if (Array.isArray(next)) {
      for (const member of next) if (isObject(member)) objects.push(member);
    } else {
      for (const name in next) {
        count += 1;
        const member = next[name];
        if (isObject(member)) objects.push(member);
      }
    }
  }
  return count;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isSpace = (character: number) =>
  character === 0x20 || character === 0x0a || character === 0x0d || character === 0x09;

const colon = 0x3a;
const backslash = 0x5c;
