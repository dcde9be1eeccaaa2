import type { PresentClient } from '@keyturn/contract';
import { isRecordOf, isText } from '../api/client/check.ts';
import type { LiveEcho } from './create-echo.ts';

/** Of pusher-js; laravel-echo itself tells names without ids, and other clients have none. */
interface Members {
  myID?: unknown;
  each(see: (member: { id: unknown; info: unknown }) => void): void;
}

/** Tells the first names of the others on a presence channel, whenever they change. Not of one's own other tabs. */
export function followPresence(
  channel: ReturnType<LiveEcho['join']>,
  tell: (firstNames: string[]) => void,
): void {
  const look = () => {
    const { members } = (channel.subscription ?? {}) as { members?: Members };
    const names: string[] = [];
    members?.each(({ id, info }) => {
      if (id !== members.myID && isPresentClient(info)) names.push(info.first_name);
    });
    tell(names.sort());
  };
  channel.here(look);
  channel.joining(look);
  channel.leaving(look);
}

const isPresentClient = isRecordOf<PresentClient>({ first_name: isText });
