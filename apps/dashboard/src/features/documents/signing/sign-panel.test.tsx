import { expect, test } from 'vitest';
import { clientFixture, documentFixture, signatureFixture } from '../../../../fixtures/entities.ts';
import { renderScreen } from '../../../../fixtures/render-screen.tsx';
import { SignPanel } from './sign-panel.tsx';

const client = clientFixture();
const document = documentFixture({ signature: signatureFixture() });
const formFor = (signedIn: typeof client, documentId = document.id) =>
  renderScreen('/', <SignPanel document={document} file={new Blob()} sha256="00" />, {
    client,
    drafts: { forms: { [`signature-${documentId}`]: 'Amelia J Raman' }, signedIn },
  });

test('the signature form has the name that the client typed before their session ended', () => {
  expect(formFor(client)).toContain('value="Amelia J Raman"');
});

test('the signature form never has the name that another client typed, or that was typed for another document', () => {
  expect(formFor(clientFixture({ id: 'another' }))).not.toContain('Amelia J Raman');
  expect(formFor(client, 'another')).not.toContain('Amelia J Raman');
});

test('the signature form asks for consent again after a session ended', () => {
  expect(formFor(client)).not.toContain('checked=""');
});
