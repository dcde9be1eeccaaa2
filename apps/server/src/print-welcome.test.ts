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

test('the welcome names the address at which clients and staff open the dashboard', () => {
  const proxied = welcome({ KEYTURN_PUBLIC_URL: 'https://clients.firm.example/' });
  expect(proxied).toContain('Keyturn is ready at http://localhost\n');
  expect(proxied).toContain(
    'Clients open it at https://clients.firm.example, and the firm’s staff at https://clients.firm.example/desk',
  );
  const own = welcome({});
  expect(own).not.toContain('Clients open it at');
  expect(own).toContain('The firm’s staff sign in at http://localhost/desk');
});

test('the welcome explains that the dates of the demonstration age, and how to reload it', () => {
  const text = welcome({ KEYTURN_DATA_DIR: '/srv/keyturn-data' });
  expect(text).toContain('Its dates were set on the day it was loaded.');
  expect(text).toContain('stop Keyturn, delete\n/srv/keyturn-data and start it again.');
  const external = welcome({ DATABASE_URL: 'postgresql://keyturn@localhost/keyturn' });
  expect(external).toContain('delete\nthe contents of its database and start it again.');
});
