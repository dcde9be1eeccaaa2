export const staffRoles = ['handler', 'finance', 'admin'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** How a staff member checked that it is the client who asks for a reset of their sign-in. */
export const identityChecks = ['called_back', 'in_person', 'video_call'] as const;
export type IdentityCheck = (typeof identityChecks)[number];

/** Why a document is withdrawn. The email to clients who have seen it says so. */
export const withdrawalReasons = ['mistake', 'malware'] as const;
export type WithdrawalReason = (typeof withdrawalReasons)[number];

export const staffStates = ['invited', 'active', 'disabled'] as const;
export type StaffState = (typeof staffStates)[number];

/** The characters of an update to the clients of a case. */
export const maxUpdateLength = 2_000;

/** The number of lines that a bill can have. */
export const maxBillLines = 100;
