import os from 'node:os';
import { expect, test, vi } from 'vitest';
import { commandUser } from './command-user.ts';

test('names a user without a name by their number', () => {
  const lookUp = vi.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('ENOENT: no such file or directory, uv_os_get_passwd');
  });
  expect(commandUser()).toBe(`user ${process.getuid?.()}`);
  lookUp.mockRestore();
  expect(commandUser()).toBe(os.userInfo().username);
});
