import { withTestDatabase } from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { computedFields, fillComputedFields } from './contract-json.ts';

const stored = withTestDatabase();

describe('computed fields', () => {
  /** Writes an object with a text, and with a computed field that contains a copy of the text. */
  async function fill(text: string | null) {
    const { rows } = await stored.database.execute<{ json: string }>(sql`
      select json_build_object('before', ${text}::text,
        ${computedFields(sql`case when ${text}::text is not null then json_build_object('text', ${text}::text) end`)},
        'after', ${text}::text)::text as json`);
    return fillComputedFields(rows[0]?.json ?? '', (facts: { text: string } | null) => ({
      length: facts?.text.length ?? null,
      same: facts?.text === text,
    }));
  }

  test.each([
    'plain',
    'a "quotation", a \\ backslash, a\nline and {"braces": [1]}',
    '"$computed" : "{}"',
    '\\"$computed\\" : \\"{}\\"',
    '","$computed" : "1',
    '$& $1 $$',
    '',
  ])('computed fields are derived from their facts next to the text %j', async (text) => {
    expect(JSON.parse(await fill(text))).toEqual({
      before: text,
      length: text.length,
      same: true,
      after: text,
    });
  });

  test('computed fields are derived from null when they depend on nothing', async () => {
    expect(JSON.parse(await fill(null))).toEqual({ before: null, length: null, same: false, after: null });
  });
});
