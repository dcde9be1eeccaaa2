import { expect, test } from 'vitest';
import { caseFixture, taskFixture } from '../../../fixtures/entities.ts';
import { renderAt } from '../../../fixtures/render-at.tsx';
import { DocumentsLink } from './documents-link.tsx';

const htmlFor = (change: Parameters<typeof caseFixture>[0]) =>
  renderAt('/', <DocumentsLink conveyancingCase={caseFixture(change)} />);

test('the documents link counts unread documents, for screen readers too', () => {
  const html = htmlFor({ unread_documents: 3 });
  expect(html).toMatch(/<span [^>]*aria-hidden="true">3<\/span>/);
  expect(html.replaceAll(/<span [^>]*aria-hidden="true">.*?<\/span>|<[^>]+>/g, '')).toBe(
    'Documents, 3 unread',
  );
  expect(htmlFor({ unread_documents: 0 }).replaceAll(/<[^>]+>/g, '')).toBe('Documents');
});

test('the documents link leaves it to the documents screen which folder to open', () => {
  expect(htmlFor({ tasks: [taskFixture({ kind: 'sign_document' })] })).toContain('href="/documents"');
});
