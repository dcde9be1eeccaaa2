import type { StaffRole } from '@keyturn/contract/staff';
import type { TestDatabase } from '@keyturn/testkit';
import { buildStaff, type serveStaff, staffPassword } from './serve-staff.ts';

/** Builds an active member without a second factor, and signs them in. */
export async function signInStaff(
  desk: Pick<Awaited<ReturnType<typeof serveStaff>>, 'openBrowser'>,
  stored: Pick<TestDatabase, 'database'>,
  role: StaffRole,
) {
  const member = await buildStaff(stored, { role, withFactor: false });
  const browser = desk.openBrowser();
  const { email } = member;
  const { status } = await browser.call('POST', '/login', { email, password: staffPassword });
  if (status !== 200) throw new Error(`the sign-in answered ${status}`);
  return { ...member, ...browser };
}
