import os from 'node:os';

/** Returns the name of the user of the operating system who runs a command, or their number if they have no name. */
export function commandUser(): string {
  try {
    return os.userInfo().username;
  } catch {
    // Containers often run under a number that /etc/passwd does not list.
    return `user ${process.getuid?.()}`;
  }
}
