import { createStore } from '@keyturn/browser/store/create-store.ts';
import { expect, test } from 'vitest';
import type { AuthState } from './auth-store.ts';
import type { PersistedState } from './persisted-state.ts';
import { createRecordingChoice } from './recording-choice.ts';

const recorded = { replays_session_sample_rate: 1, replays_on_error_sample_rate: 0 };
const signedIn = (id: string) => ({ client: { id } }) as AuthState;

/** Opens a page on one device, whose stored entries outlast it. */
function openDevice() {
  const entries = new Map<string, unknown>();
  const persisted = {
    read: (name: string) => entries.get(name) ?? null,
    write: (name: string, value: unknown) => void entries.set(name, value),
    onChangeElsewhere: () => () => undefined,
  } as unknown as PersistedState;
  const openPage = (config: object | null, id: string | null) => {
    const auth = createStore<AuthState | null>(id === null ? null : signedIn(id));
    return { auth, choice: createRecordingChoice({ error_reporting: config as never }, persisted, auth) };
  };
  return { entries, openPage };
}

test('nothing is offered or agreed without a sample rate of recordings', () => {
  const { openPage } = openDevice();
  for (const config of [null, { ...recorded, replays_session_sample_rate: 0 }]) {
    const { choice } = openPage(config, 'amelia');
    expect([choice.isOffered, choice.get()]).toEqual([false, null]);
  }
});

test('each client of a device has their own choice, which outlasts the page and can be withdrawn', () => {
  const { openPage } = openDevice();
  const { auth, choice } = openPage(recorded, 'amelia');
  expect(choice.get()).toBeNull();
  choice.choose('agreed');
  expect(choice.get()).toBe('agreed');
  auth.set(signedIn('tom'));
  expect(choice.get()).toBeNull();
  auth.set(null);
  expect(choice.get()).toBeNull();
  const later = openPage(recorded, 'amelia').choice;
  expect(later.get()).toBe('agreed');
  later.choose('declined');
  expect(openPage(recorded, 'amelia').choice.get()).toBe('declined');
});

test('consent is assumed only where the settings say so, and never after a client has declined', () => {
  const { openPage } = openDevice();
  const assumed = { ...recorded, recording_consent: 'assumed' };
  expect(openPage({ ...recorded, recording_consent: 'asked' }, 'amelia').choice.get()).toBeNull();
  const { choice } = openPage(assumed, 'amelia');
  expect(choice.get()).toBe('agreed');
  choice.choose('declined');
  expect(openPage(assumed, 'amelia').choice.get()).toBe('declined');
});

test('ignores stored choices that are damaged, and keeps those of ten clients', () => {
  const { entries, openPage } = openDevice();
  entries.set('recording', { amelia: 'yes', tom: 5 });
  expect(openPage(recorded, 'amelia').choice.get()).toBeNull();
  for (let number = 0; number < 12; number += 1) openPage(recorded, `c${number}`).choice.choose('agreed');
  expect(Object.keys(entries.get('recording') as object)).toHaveLength(10);
  expect(openPage(recorded, 'c11').choice.get()).toBe('agreed');
});
