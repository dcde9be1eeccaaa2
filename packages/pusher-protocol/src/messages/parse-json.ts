/** Reads JSON from outside. @returns undefined for what is no JSON, or is nested deeper than allowed. Never throws. */
export function parseJson(text: string, depth: number): { value: unknown } | undefined {
  if (isDeeperThan(text, depth)) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/**
 * A field of a parsed value. Only what the text itself names: nothing inherited, so that a field called
 * `constructor` or `__proto__` is a field like any other.
 */
export function readField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** Whether a value is an object with fields: neither null nor an array. */
export function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Counts brackets outside of strings, so that deep nesting is refused before anything follows it recursively. */
function isDeeperThan(text: string, depth: number): boolean {
  let open = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (inString) {
      if (character === backslash) at++;
      else if (character === quote) inString = false;
    } else if (character === quote) inString = true;
    else if (character === openBrace || character === openBracket) {
      if (++open > depth) return true;
    } else if (character === closeBrace || character === closeBracket) open--;
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
