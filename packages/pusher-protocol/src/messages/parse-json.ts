/**
 * Parses JSON from outside. Never throws.
 *
 * @returns undefined if the text is not JSON or exceeds the nesting depth
 */
export function parseJson(text: string, maxDepth: number): { value: unknown } | undefined {
  if (isDeeperThan(text, maxDepth)) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/**
 * Reads an own field of a parsed value. Inherited properties are ignored, so `constructor` or `__proto__` are ordinary
 * field names.
 */
export function readField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** Tells whether a value is a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Counts brackets outside strings, so that deep nesting is rejected before any recursive code sees it. */
function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (inString) {
      if (character === backslash) index++;
      else if (character === quote) inString = false;
    } else if (character === quote) inString = true;
    else if (character === openBrace || character === openBracket) {
      if (++depth > maxDepth) return true;
    } else if (character === closeBrace || character === closeBracket) depth--;
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
