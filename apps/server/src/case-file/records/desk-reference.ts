/** The prefix of references of records that staff add at the desk. The feed cannot create such records. */
export const deskPrefix = 'desk-';

/** @param id a random id that the desk has chosen, so that no two records ever have the same reference */
export const deskReference = (id: string): string => deskPrefix + id;
