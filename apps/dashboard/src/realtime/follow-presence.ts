import type { LiveEcho } from '@keyturn/browser/channel/create-echo.ts';
import { isObjectOf, isString } from '@keyturn/browser/checks/check.ts';
import type { PresentClient } from '@keyturn/contract';

/** The members of a pusher-js channel. laravel-echo itself gives no ids, and other clients have no members. */
interface Members {
  myID?: unknown;
  each(visit: (member: { id: unknown; info: unknown }) => void): void;
}

/**
 * Reports who else is on a presence channel, now and on every change.
 * @param onChange receives their first names, sorted, without the client's own other tabs
 */
export function followPresence(
  channel: ReturnType<LiveEcho['join']>,
  onChange: (firstNames: string[]) => void,
): void {
  const report = () => {
    const { members } = (channel.subscription ?? {}) as { members?: Members };
    const names: string[] = [];
    members?.each(({ id, info }) => {
      if (id !== members.myID && isPresentClient(info)) names.push(info.first_name);
    });
    onChange(names.sort());
  };
  channel.here(report);
  channel.joining(report);
  channel.leaving(report);
}

const isPresentClient = isObjectOf<PresentClient>({ first_name: isString });
