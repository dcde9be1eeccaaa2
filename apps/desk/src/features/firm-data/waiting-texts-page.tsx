import { useRef } from 'react';
import { callStaff, useMember } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { focusNeighbour } from '../../ui/base/focus-neighbour.ts';
import { PageHead } from '../../ui/base/page.tsx';
import { TextField } from '../../ui/forms/fields.tsx';
import { fieldPath } from './entered-members.ts';
import styles from './firm-data.module.css';
import { SettingsForm } from './settings-form.tsx';
import { useSave, useVersioned } from './use-versioned.ts';

/** Where admins change the firm’s texts for whom a step waits. */
export default function WaitingTextsPage() {
  const settings = useVersioned('GET /staff/waiting-texts', (value) => value);
  const save = useSave(settings, {
    toValue: (entered) => entered.map((text) => text.trim()),
    send: (body) => callStaff('PUT /staff/waiting-texts', { body }),
    changed: 'Waiting texts saved.',
    restored: 'Waiting texts restored.',
  });
  return (
    <>
      <PageHead title="Waiting texts">
        What clients read after “Waiting for”, where a step needs more than Keyturn works out. Members choose
        from these texts or write another one; in a quiet step they can only choose. Steps that use a text
        keep it. List only what many ordinary cases wait for: a text that few steps have would give a quiet
        one away.
      </PageHead>
      <SettingsForm
        what="the waiting texts"
        settings={settings}
        onSave={save}
        placeOf={(field) => `Text ${Number(fieldPath(field)[1]) + 1}`}
      >
        {() => settings.current && <Texts entered={settings.current.entered} onChange={settings.change} />}
      </SettingsForm>
    </>
  );
}

function Texts({ entered, onChange }: { entered: string[]; onChange(entered: string[]): void }) {
  const { role } = useMember();
  const list = useRef<HTMLUListElement>(null);
  const add = () => {
    onChange([...entered, '']);
    // Runs once the new field is on the page.
    setTimeout(() => list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus());
  };
  return (
    <>
      <ul className={styles.list} ref={list}>
        {entered.map((text, index) => (
          // Two texts can be the same while they are typed.
          // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other identity
          <li key={index} className={styles.text}>
            <TextField
              label={`Text ${index + 1}`}
              autoComplete="off"
              maxLength={200}
              value={text}
              onChange={({ currentTarget }) =>
                onChange(entered.map((other, place) => (place === index ? currentTarget.value : other)))
              }
            />
            {role === 'admin' && (
              <Button
                look="plain"
                aria-label={`Remove ${text || 'this text'}`}
                onClick={({ currentTarget }) => {
                  focusNeighbour(currentTarget);
                  onChange(entered.filter((_other, place) => place !== index));
                }}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {role === 'admin' && <Button onClick={add}>Add a text</Button>}
    </>
  );
}
