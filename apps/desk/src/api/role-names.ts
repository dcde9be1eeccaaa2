import type { StaffRole } from '@keyturn/contract/staff';

export const roleNames: Record<StaffRole, string> = {
  handler: 'Case handler',
  finance: 'Finance',
  admin: 'Admin',
};
