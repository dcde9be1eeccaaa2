import type { BankHoliday } from '@keyturn/contract/staff';
import { dayParts } from '@keyturn/format/london-time';
import { useRef } from 'react';
import { callStaff, useMember } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { focusNeighbour } from '../../ui/base/focus-neighbour.ts';
import { EmptyState, PageHead } from '../../ui/base/page.tsx';
import { TextField } from '../../ui/forms/fields.tsx';
import { fieldPath } from './entered-members.ts';
import styles from './firm-data.module.css';
import { SettingsForm } from './settings-form.tsx';
import { useSave, useVersioned } from './use-versioned.ts';

/** Where admins change the days on which no one works in England and Wales. */
export default function BankHolidaysPage() {
  const settings = useVersioned('GET /staff/bank-holidays', (value) => value);
  const save = useSave(settings, {
    toValue: (entered) => entered.map(({ day, name }) => ({ day, name: name.trim() })),
    send: (body) => callStaff('PUT /staff/bank-holidays', { body }),
    changed: 'Bank holidays saved.',
    restored: 'Bank holidays restored.',
  });
  return (
    <>
      <PageHead title="Bank holidays">
        Searches are not ordered and card money does not clear on these days. Changes move the dates promised
        to clients, and show on open pages within three minutes.
      </PageHead>
      <SettingsForm
        what="the bank holidays"
        settings={settings}
        onSave={save}
        placeOf={(field) => `Day ${Number(fieldPath(field)[1]) + 1}`}
      >
        {() => settings.current && <Days entered={settings.current.entered} onChange={settings.change} />}
      </SettingsForm>
    </>
  );
}

function Days({ entered, onChange }: { entered: BankHoliday[]; onChange(entered: BankHoliday[]): void }) {
  const { role } = useMember();
  const list = useRef<HTMLUListElement>(null);
  const replace = (index: number, holiday: BankHoliday) =>
    onChange(entered.map((other, place) => (place === index ? holiday : other)));
  const add = () => {
    onChange([...entered, { day: '', name: '' }]);
    // Runs once the new fields are on the page.
    setTimeout(() => list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus());
  };
  return (
    <>
      {entered.length === 0 && (
        <EmptyState title="There are no bank holidays.">
          {' '}
          Promised days can be wrong until you add them.
        </EmptyState>
      )}
      <ul className={styles.list} ref={list}>
        {entered.map(({ day, name }, index) => (
          // Two days can be the same while they are typed.
          // biome-ignore lint/suspicious/noArrayIndexKey: a day has no other identity until it is saved
          <li key={index} className={styles.item}>
            <TextField
              label="Day"
              hint={weekdayOf(day)}
              type="date"
              value={day}
              onChange={({ currentTarget }) => replace(index, { day: currentTarget.value, name })}
            />
            <TextField
              label="Name"
              autoComplete="off"
              maxLength={100}
              value={name}
              onChange={({ currentTarget }) => replace(index, { day, name: currentTarget.value })}
            />
            {role === 'admin' && (
              <Button
                look="plain"
                aria-label={`Remove ${name || day || 'this day'}`}
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
      {role === 'admin' && <Button onClick={add}>Add a day</Button>}
    </>
  );
}

const weekdayOf = (day: string) => (/^\d{4}-\d\d-\d\d$/.test(day) ? dayParts(day).weekday : undefined);
