import { isEmailAddress, removeInvisible } from '@keyturn/contract';
import { type StaffRole, staffRoles } from '@keyturn/contract/staff';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { commandLineActor } from '../../../platform/audit/record-audit.ts';
import { createCommand } from '../../../platform/commands/create-command.ts';
import { parseName } from '../../../platform/commands/parse-options.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { listStaffSessions } from '../sign-in/list-sessions.ts';
import type { StaffAdministration } from '../staff-dependencies.ts';
import {
  disableStaff,
  enableStaff,
  endStaffSessions,
  inviteStaff,
  type ManagedBy,
  resetStaffFactors,
} from './manage-staff.ts';
import { findStaffByEmail, listStaff, type StaffRow } from './staff-store.ts';

export type StaffCommand =
  | { name: 'invite'; email: string; role: StaffRole; memberName: string | null }
  | { name: 'list' }
  | { name: 'disable' | 'enable' | 'reset-factors' | 'sessions' | 'end-sessions'; email: string };

/** Defines `keyturn staff`. */
export function staffCommand(run: (parsed: StaffCommand) => Promise<void>): Command {
  const forMember = (name: Exclude<StaffCommand['name'], 'invite' | 'list'>, description: string) =>
    createCommand(name)
      .description(description)
      .argument('<email>', 'the email address of the staff member')
      .action((email: string) => run({ name, email }));
  const invite = createCommand('invite')
    .description('Email someone an invitation to sign in as staff. A running server sends the email.')
    .argument('<email>', 'their email address', parseEmail)
    .addOption(new Option('--role <role>', 'what they may do').choices([...staffRoles]).makeOptionMandatory())
    .option('--name <name>', 'their name; they can change it when they accept', parseName)
    .action((email: string, { role, name = null }) => run({ name: 'invite', email, role, memberName: name }));
  const list = createCommand('list')
    .description('Show all staff members.')
    .action(() => run({ name: 'list' }));
  return createCommand('staff')
    .description('Manage who can sign in as staff of the firm.')
    .addCommand(invite)
    .addCommand(list)
    .addCommand(forMember('disable', 'End a member’s access at once, or withdraw their invitation.'))
    .addCommand(forMember('enable', 'Give a disabled member their access back.'))
    .addCommand(
      forMember(
        'reset-factors',
        'Remove a member’s password, passkeys and authenticator apps, and invite them again.',
      ),
    )
    .addCommand(forMember('sessions', 'Show where a member is signed in.'))
    .addCommand(forMember('end-sessions', 'Sign a member out everywhere.'));
}

function parseEmail(text: string): string {
  const email = removeInvisible(text).trim();
  if (!isEmailAddress(email)) throw new InvalidArgumentError('It must be an email address.');
  return email;
}

/**
 * Runs `keyturn staff`.
 * @returns the exit code: 0 done, 1 not possible
 */
export async function runStaffCommand(
  dependencies: StaffAdministration,
  command: StaffCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  try {
    for (const line of await linesOf(dependencies, command)) print(line);
    return 0;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    print(error.message);
    return 1;
  }
}

async function linesOf(dependencies: StaffAdministration, command: StaffCommand): Promise<string[]> {
  const by: ManagedBy = { actor: commandLineActor(), address: null, mayRemoveLastAdmin: true };
  if (command.name === 'invite') {
    const { email, role, memberName: name } = command;
    await inviteStaff(dependencies, { email, role, name }, by);
    return [`${email} is invited as ${role}. The link expires 72 hours after it is sent.`];
  }
  if (command.name === 'list') {
    const members = await listStaff(dependencies.database, dependencies.clock());
    return members.length > 0 ? members.map(describeMember) : ['There are no staff members.'];
  }
  const { id, email } = await requireMember(dependencies, command.email);
  switch (command.name) {
    case 'disable': {
      const { acceptedAt } = await disableStaff(dependencies, id, by);
      return [
        acceptedAt
          ? `${email} is disabled and signed out.`
          : `${email} is disabled and can no longer accept their invitation.`,
      ];
    }
    case 'enable': {
      const { state } = await enableStaff(dependencies, id, by);
      return [state === 'invited' ? `${email} is invited again.` : `${email} is active.`];
    }
    case 'reset-factors':
      await resetStaffFactors(dependencies, id, by);
      return [`${email} is signed out and invited again.`];
    case 'end-sessions': {
      const ended = await endStaffSessions(dependencies, id, by);
      return [`${ended} ${ended === 1 ? 'session' : 'sessions'} ended.`];
    }
    case 'sessions': {
      const sessions = await listStaffSessions(dependencies, id, null);
      return sessions.length > 0 ? sessions.map(describeSession) : [`${email} is not signed in.`];
    }
  }
}

async function requireMember({ database }: StaffAdministration, email: string): Promise<StaffRow> {
  const member = await findStaffByEmail(database, email);
  if (!member)
    throw new DomainError('not_found', { message: `${email}: no staff member has this email address` });
  return member;
}

function describeMember(member: Awaited<ReturnType<typeof listStaff>>[number]): string {
  const { email, name, role, state, passkeys, authenticators } = member;
  const invitation = member.invitation_expires_at;
  const link = invitation ? `invitation expires ${invitation}` : 'no open invitation';
  const signIn = member.last_signed_in_at
    ? `last signed in ${member.last_signed_in_at}`
    : 'no sign-in in the last 90 days';
  const details =
    state === 'invited' ? link : `passkeys ${passkeys}, authenticator apps ${authenticators}, ${signIn}`;
  return `${email}  ${JSON.stringify(name ?? '')}  ${role}  ${state}  ${details}`;
}

const describeSession = (session: Awaited<ReturnType<typeof listStaffSessions>>[number]) =>
  `${session.id}  since ${session.created_at}, last used ${session.last_used_at}  ${session.address}  ${JSON.stringify(session.user_agent ?? '')}`;
