import { sandboxCards } from '@keyturn/contract';
import { isOnOwnMachine } from './composition/open-installation.ts';
import { demonstrationMembers } from './people/staff/accounts/load-demonstration-staff.ts';
import type { Settings } from './settings/read-settings.ts';

export interface Welcome {
  address: string;
  contents: 'nothing' | 'demonstration' | 'real';
  settings: Settings;
}

/** Prints the address of the dashboard, and how to sign in and pay in the demonstration. */
export function printWelcome({ address, contents, settings }: Welcome): void {
  const lines = [`${settings.productName} is ready at ${address}`];
  const openedAt = settings.publicUrl ?? address;
  if (settings.publicUrl)
    lines.push(`Clients open it at ${openedAt}, and the firm’s staff at ${openedAt}/desk`);
  if (contents === 'nothing') {
    lines.push(
      '',
      'No cases yet. Invite the firm’s first admin, who imports them at the desk (docs/for-firms.md):',
      '',
    );
    lines.push('  npx keyturn staff invite EMAIL --role admin', '', 'or import a case feed:', '');
    lines.push('  npx keyturn import FILE');
  }
  if (contents === 'demonstration') {
    lines.push('', 'Demonstration firm: Alder & Finch Conveyancing. Sign in with one of', '');
    for (const [email, situation] of demonstrationSignIns) lines.push(`  ${email.padEnd(22)} ${situation}`);
    if (isOnOwnMachine(settings)) {
      lines.push('', `The firm’s staff sign in at ${openedAt}/desk as one of`, '');
      for (const { email, role } of demonstrationMembers) lines.push(`  ${email.padEnd(27)} ${role}`);
    }
    lines.push('', '  password: turn-the-key-2026', '', ...demonstrationAge(settings));
  }
  if (settings.payments.isOff) lines.push('', 'Card payments are switched off.');
  else if (settings.payments.provider === 'sandbox') {
    lines.push(
      '',
      'Payments use a sandbox: no money moves. Test cards (any future date, any 3-digit code):',
      '',
    );
    for (const { number, label } of sandboxCards) {
      lines.push(`  ${number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}   ${label}`);
    }
  }
  console.log(`\n${lines.join('\n')}\n\nStop with Ctrl-C.\n`);
}

/** The dates of the demonstration do not move with time, so that the dates of clients' actions stay consistent. */
const demonstrationAge = ({ databaseUrl, dataDirectory }: Settings) => [
  'Its dates were set on the day it was loaded. For dates around today, stop Keyturn, delete',
  `${databaseUrl === null ? dataDirectory : 'the contents of its database'} and start it again.`,
];

const demonstrationSignIns = [
  ['amelia@example.test', 'sale and purchase, mid-way; two searches to pay, documents to sign'],
  ['tom@example.test', 'the other owner of Amelia’s case'],
  ['priya@example.test', 'a first purchase, just instructed'],
  ['george@example.test', 'two cases: a completed sale and a remortgage'],
  ['imogen@example.test', 'a purchase with a search to pay; her right to cancel is not known'],
  ['yusuf@example.test', 'a remortgage with a search to pay; he has no right to cancel'],
] as const;
