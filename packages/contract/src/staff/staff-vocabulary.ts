export const staffRoles = ['handler', 'finance', 'admin'] as const;
export type StaffRole = (typeof staffRoles)[number];

export const staffStates = ['invited', 'active', 'disabled'] as const;
export type StaffState = (typeof staffStates)[number];
