import fc from 'fast-check';

/**
 * Names a value of an existing record, such as `@@matters@@` for an id or `@@clients.email@@`. The sender replaces it,
 * so that a seed creates the same inputs although ids differ.
 */
export const storedIn = (place: string) => `@@${place}@@`;

const tables = [
  ...['conveyancing_cases', 'clients', 'matters', 'milestones', 'documents', 'case_searches', 'tasks'],
  ...['payments', 'bills', 'staff', 'feed_keys', 'webhook_endpoints', 'spreadsheets', 'payment_links'],
  ...['history_entries', 'staff_factors', 'client_factors', 'refunds', 'disputes', 'sandbox_intents'],
];
const references = ['clients', 'conveyancing_cases', 'matters', 'documents', 'case_searches', 'tasks'];

export const existingId: fc.Arbitrary<string> = fc.constantFrom(...tables.map(storedIn));
export const existingReference: fc.Arbitrary<string> = fc.constantFrom(
  ...references.map((table) => storedIn(`${table}.reference`)),
);

/** Texts that parsers, databases, templates, logs or people may misread. */
const oddTexts = [
  ...[
    '',
    ' ',
    '\t',
    '\0',
    'a\0b',
    '\\u0000',
    '\ud800',
    'a\udfffb',
    '\ufeffa',
    '\u202eevil',
    'a\u200bb',
    '\u0085',
  ],
  ...["' or 1=1 --", '"; drop', '$1', '%', '_', '\\', '{{7*7}}', '$' + '{env:HOME}', '<script>1</script>'],
  ...[
    '../../etc/passwd',
    '..',
    '.',
    '/',
    '%00',
    '%2e%2e%2f',
    'C:\\',
    'file:///etc/passwd',
    '=1+1',
    '@SUM(A1)',
  ],
  ...[
    'NaN',
    'Infinity',
    '-0',
    '1e999',
    '0x10',
    '1_000',
    '٣',
    '9'.repeat(400),
    '-1',
    '1.5',
    'null',
    'undefined',
  ],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '[object Object]', 'true'],
  ...['2026-02-30', '0000-01-01', '9999-12-31', '2026-11-23T25:61:61Z', '+275760-09-13T00:00:00.001Z'],
  ...[
    'a@b',
    '"a b"@example.test',
    `${'a'.repeat(300)}@example.test`,
    'http://[::1',
    'javascript:1',
    '//a.test',
  ],
  ...['\r\nset-cookie: a=b', '4111 1111 1111 1111', '👩‍👩‍👧', 'Z̸̡͓a̶', 'ﷺ'.repeat(20), 'İ', 'ß', 'ǆ'],
];

export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 400 }) },
  { weight: 1, arbitrary: fc.nat(9_000).map((length) => 'x'.repeat(length)) },
  { weight: 1, arbitrary: existingId },
);

const oddNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.1, 1.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 63, 1e21),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const nested = fc
  .nat(60)
  .map((depth) => Array.from({ length: depth }).reduce<unknown>((inside) => [inside], 'deep'));

/** A value that hardly any field expects. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: oddText },
  { weight: 2, arbitrary: oddNumber },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [null], [[]], { id: {} }) },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: fc.nat(300).map((length) => Array.from({ length }, () => 'x')) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

export const oddName = fc.constantFrom(
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    '',
    'id',
    'role',
    'is_admin',
    'a.b',
    '$ne',
    '\ud800',
  ],
  ...['client_id', 'x'.repeat(200)],
);
