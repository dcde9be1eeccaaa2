import { expect, test, vi } from 'vitest';
import { printWelcome } from './print-welcome.ts';
import { readSettings } from './settings/read-settings.ts';

function welcome(env: Record<string, string>) {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  printWelcome({
    address: 'http://localhost',
    contents: 'demonstration',
    settings: readSettings(env, '/srv/keyturn'),
  });
  const [[text]] = log.mock.calls as [[string]];
  log.mockRestore();
  return text;
}

test('the welcome explains that the dates of the demonstration age, and how to reload it', () => {
  const text = welcome({ KEYTURN_DATA_DIR: '/srv/keyturn-data' });
  expect(text).toContain('Its dates were set on the day it was loaded.');
  expect(text).toContain('stop Keyturn, delete\n/srv/keyturn-data and start it again.');
  const external = welcome({ DATABASE_URL: 'postgresql://keyturn@localhost/keyturn' });
  expect(external).toContain('delete\nthe contents of its database and start it again.');
});
