/** The prefix of references of records that staff add at the desk. The feed cannot create such records. */
export const deskPrefix = 'desk-';
