import type { StaffRole } from '@keyturn/contract/staff';
import { newId } from '../../../platform/ids.ts';
import { staff } from '../../../schema/tables/staff-tables.ts';
import type { StaffAdministration } from '../staff-dependencies.ts';

/** The staff of the demonstration firm. */
export const demonstrationMembers: { email: string; name: string; role: StaffRole }[] = [
  { email: 'rhian.morgan@example.test', name: 'Rhian Morgan', role: 'handler' },
  { email: 'joel.adeyemi@example.test', name: 'Joel Adeyemi', role: 'finance' },
  { email: 'dana.price@example.test', name: 'Dana Price', role: 'admin' },
];

/** The same password as that of the demonstration's clients. */
const password = 'turn-the-key-2026';

/**
 * Adds the staff of the demonstration firm, unless there are staff members. Their password is public, so this is only
 * for installations on which someone tries Keyturn.
 */
export async function loadDemonstrationStaff({
  database,
  clock,
  hashPassword,
}: StaffAdministration & { hashPassword(password: string): Promise<string> }): Promise<void> {
  const [first] = await database.select({ id: staff.id }).from(staff).limit(1);
  if (first) return;
  const now = clock();
  const passwordHash = await hashPassword(password);
  const common = { state: 'active', passwordHash, acceptedAt: now, createdAt: now, updatedAt: now } as const;
  await database
    .insert(staff)
    .values(demonstrationMembers.map((member) => ({ id: newId(), ...member, ...common })))
    .onConflictDoNothing();
}
