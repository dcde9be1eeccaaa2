/**
 * - public: everyone may subscribe
 * - private: needs a signature of the app
 * - presence: needs a signature, and its members see each other
 * - user: `#server-to-user-{id}`, only for connections that are signed in as that user
 */
export type ChannelKind = 'public' | 'private' | 'presence' | 'user';

/**
 * Determines the kind of a channel from its name. `unsupported` names (cache and end-to-end encrypted channels) are
 * rejected: as ordinary channels they would promise features that do not exist here.
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

/** Returns the name of the channel that reaches all signed-in connections of a user. */
export function userChannel(userId: string): string {
  return userPrefix + userId;
}

const userPrefix = '#server-to-user-';
/** Excludes `:`, which separates the parts of a signed text. */
const allowedName = /^[A-Za-z0-9_\-=@,.;]+$/;
const unsupportedName = /^(?:private-encrypted-|(?:private-|presence-)?cache-)/;
