/**
 * - public: anybody may listen
 * - private: with a signature of the app
 * - presence: the same, and the members know of each other
 * - user: `#server-to-user-{id}`, for the connections that are signed in as that user
 */
export type ChannelKind = 'public' | 'private' | 'presence' | 'user';

/**
 * What kind of channel a name stands for. `unsupported` is a name that other servers of the protocol would give a
 * meaning that this one does not keep (caches, end-to-end encryption): taking it for an ordinary channel would
 * promise what does not happen.
 */
export function classifyChannel(
  name: string,
  limits: { channelNameLength: number; userIdLength: number },
): ChannelKind | 'invalid' | 'unsupported' {
  if (name.startsWith(userPrefix)) {
    const length = name.length - userPrefix.length;
    return length > 0 && length <= limits.userIdLength && name.isWellFormed() ? 'user' : 'invalid';
  }
  if (name.length > limits.channelNameLength || !allowedName.test(name)) return 'invalid';
  if (unsupportedName.test(name)) return 'unsupported';
  if (name.startsWith('private-')) return 'private';
  if (name.startsWith('presence-')) return 'presence';
  return 'public';
}

/** The channel that reaches one user, on all of the user's signed-in connections. */
export function userChannel(userId: string): string {
  return userPrefix + userId;
}

const userPrefix = '#server-to-user-';
/** No `:`, which separates the parts of what is signed. */
const allowedName = /^[A-Za-z0-9_\-=@,.;]+$/;
const unsupportedName = /^(?:private-encrypted-|(?:private-|presence-)?cache-)/;
