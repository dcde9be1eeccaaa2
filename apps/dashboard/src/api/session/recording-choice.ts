import { type Check, isRecordOf, isString } from '@keyturn/browser/checks/check.ts';
import { createStore, type ReadableStore } from '@keyturn/browser/store/create-store.ts';
import type { PublicConfig } from '@keyturn/contract';
import type { AuthStore } from './auth-store.ts';
import type { PersistedState } from './persisted-state.ts';

/** Whether the signed-in client agrees, on this device, to recordings of how they use the dashboard. */
export interface RecordingChoice extends ReadableStore<RecordingAnswer | null> {
  /** Whether the firm records sessions at all. */
  isOffered: boolean;
  choose(answer: RecordingAnswer): void;
}

export type RecordingAnswer = 'agreed' | 'declined';

/** Creates the store of the choice; null until the client has chosen, and while signed out. */
export function createRecordingChoice(
  { error_reporting: config }: Pick<PublicConfig, 'error_reporting'>,
  persisted: PersistedState,
  auth: Pick<AuthStore, 'get' | 'subscribe'>,
): RecordingChoice {
  const isOffered =
    config !== null && config.replays_session_sample_rate + config.replays_on_error_sample_rate > 0;
  const unasked = config?.recording_consent === 'assumed' ? 'agreed' : null;
  const clientId = () => auth.get()?.client?.id;
  const read = (): RecordingAnswer | null => {
    const id = clientId();
    if (!isOffered || id === undefined) return null;
    const answer = readAnswers(persisted)[id];
    return answer === 'agreed' || answer === 'declined' ? answer : unasked;
  };
  const { get, set, subscribe } = createStore(read());
  auth.subscribe(() => set(read()));
  persisted.onChangeElsewhere((name) => {
    if (name === entryName) set(read());
  });
  return {
    get,
    subscribe,
    isOffered,
    choose: (answer) => {
      const id = clientId();
      if (id === undefined) return;
      const { [id]: _, ...others } = readAnswers(persisted);
      const latest = Object.entries(others).slice(1 - maxClients);
      persisted.write(entryName, Object.fromEntries([...latest, [id, answer]]));
      set(read());
    },
  };
}

const entryName = 'recording';

/** Clients who share a device each have their own choice. */
const maxClients = 10;

const isAnswers: Check<Record<string, string>> = isRecordOf(isString);

function readAnswers(persisted: PersistedState): Record<string, string> {
  const stored = persisted.read(entryName);
  return isAnswers(stored) ? stored : {};
}
