import { errorCatalogue, feedRecords } from '@keyturn/contract';
import { type FeedCallDefinition, type FeedCallKey, feedCalls, feedErrors } from '@keyturn/contract/feed';
import { type FeedExample, feedExamples } from './examples.ts';
import { scopeText } from './open-api.ts';

/**
 * Renders the description of the feed over HTTP as static HTML, so that the content security policy needs no exception.
 */
export function renderPage(version: string): string {
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The case feed over HTTP</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/api.css">
</head>
<body>
<header>
<h1>The case feed over HTTP</h1>
<p>Version ${escapeHtml(version)}. Also available <a href="/api/feed/openapi.json">as OpenAPI</a>.</p>
<nav aria-label="On this page"><ul>
${Object.values<FeedCallDefinition>(feedCalls)
  .map(({ id, summary }) => `<li><a href="#${id}">${escapeHtml(summary)}</a></li>`)
  .join('\n')}
<li><a href="#records">Records</a></li>
<li><a href="#errors">Errors</a></li>
</ul></nav>
</header>
<main>
<p>Every request needs the secret of a key: <code>Authorization: Bearer kt_feed_…</code>. <code>keyturn key create</code> prints one. The key needs the scope that is named below.</p>
${(Object.keys(feedCalls) as FeedCallKey[]).map(renderCall).join('\n')}
<section id="records" aria-labelledby="records-title"><h2 id="records-title">Records</h2>
${Object.entries(feedRecords)
  .map(([kind, schema]) => renderFields(kind, schema))
  .join('\n')}
</section>
<section id="errors" aria-labelledby="errors-title"><h2 id="errors-title">Errors</h2>
<p>The body of an error has a <code>message</code>, a <code>code</code> and, for <code>invalid_input</code>, <code>errors</code> by field.</p>
${renderTable(
  'Error codes',
  ['Status', 'Code', 'Message'],
  feedErrors.map((code) => [String(errorCatalogue[code].status), code, errorCatalogue[code].message]),
)}
</section>
</main>
</body>
</html>
`;
}

function renderCall(key: FeedCallKey): string {
  const [method = '', path = ''] = key.split(' ');
  const call: FeedCallDefinition = feedCalls[key];
  const {
    id,
    summary,
    description,
    access,
    parameters: inQuery = {},
    bodies = {},
    acceptsIdempotencyKey,
    answers,
  } = call;
  const parameters = Object.entries(inQuery).map(([name, { description: words }]) => [name, words]);
  if (acceptsIdempotencyKey)
    parameters.push(['Idempotency-Key', 'A header of 1 to 255 characters, kept for 24 hours']);
  return `<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${escapeHtml(summary)}</h2>
<p><code>${method} /api${escapeHtml(path)}</code></p>
<p>${escapeHtml(description)}</p>
<p>Scope: <code>${escapeHtml(scopeText(access))}</code></p>
${parameters.length > 0 ? renderTable(`Parameters: ${summary}`, ['Parameter', 'Meaning'], parameters) : ''}
${
  Object.keys(bodies).length > 0
    ? `<p>Body: ${Object.keys(bodies)
        .map((type) => `<code>${type}</code>`)
        .join(', ')}</p>`
    : ''
}
${renderTable(
  `Answers: ${summary}`,
  ['Status', 'Meaning'],
  Object.entries(answers).map(([status, answer]) => [status, answer.description]),
)}
${feedExamples[key].map((example) => renderExample(method, example)).join('\n')}
</section>`;
}

function renderExample(
  method: string,
  { summary, path, contentType, body, status, answer }: FeedExample,
): string {
  const sent = typeof body === 'string' ? body : body && JSON.stringify(body, null, 2);
  const type = sent === undefined ? '' : `Content-Type: ${contentType ?? 'application/json'}\n\n${sent}`;
  return `<h3>${escapeHtml(summary)}</h3>
<pre tabindex="0"><code>${escapeHtml(`${method} /api${path}\n${type}`.trim())}</code></pre>
<pre tabindex="0"><code>${escapeHtml(`${status}\n\n${JSON.stringify(answer, null, 2)}`)}</code></pre>`;
}

interface FieldSchema {
  type?: string;
  description?: string;
  enum?: readonly unknown[];
  anyOf?: readonly FieldSchema[];
  items?: FieldSchema;
  format?: string;
  maxLength?: number;
}

function renderFields(kind: string, schema: { properties: object; required?: readonly string[] }): string {
  const rows = Object.entries(schema.properties as Record<string, FieldSchema>).map(([name, field]) => [
    name,
    typeOf(field),
    schema.required?.includes(name) ? 'yes' : 'no',
    field.description ?? '',
  ]);
  return `<h3 id="record-${kind}">${kind}</h3>
${renderTable(`Fields of ${kind}`, ['Field', 'Type', 'Required', 'Meaning'], rows)}`;
}

function typeOf({ type, enum: values, anyOf, items, format, maxLength }: FieldSchema): string {
  if (values) return values.join(', ');
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (items) return `list of ${typeOf(items)}`;
  if (format) return format;
  return maxLength === undefined ? (type ?? 'any') : `${type}, up to ${maxLength}`;
}

/** A table that scrolls sideways on a narrow screen, even with the keyboard. Its first column names the rows. */
const renderTable = (name: string, headings: string[], rows: string[][]) =>
  `<div class="table" role="region" aria-label="${escapeHtml(name)}" tabindex="0"><table aria-label="${escapeHtml(name)}">
<thead><tr>${headings.map((heading) => `<th scope="col">${escapeHtml(heading)}</th>`).join('')}</tr></thead>
<tbody>
${rows.map(renderRow).join('\n')}
</tbody></table></div>`;

const renderRow = ([header = '', ...cells]: string[]) =>
  `<tr><th scope="row">${escapeHtml(header)}</th>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export const pageStyle = `:root { color-scheme: light dark; --text: #1d2328; --page: #ffffff; --line: #c9ced3; --code: #f1f3f5; --link: #0b4f8a; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8ebee; --page: #15191d; --line: #464d54; --code: #22282e; --link: #8fc3f5; }
}
body { margin: 0 auto; padding: 1rem; max-width: 60rem; color: var(--text); background: var(--page); font: 1rem/1.5 system-ui, sans-serif; }
a { color: var(--link); }
section { border-top: 1px solid var(--line); margin-top: 2rem; }
code { font: 0.9em ui-monospace, monospace; background: var(--code); overflow-wrap: anywhere; }
pre { background: var(--code); padding: 1rem; overflow-x: auto; }
pre code { overflow-wrap: normal; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { border: 1px solid var(--line); padding: 0.4rem 0.6rem; text-align: left; vertical-align: top; }
tbody th { font-weight: 400; }
`;
