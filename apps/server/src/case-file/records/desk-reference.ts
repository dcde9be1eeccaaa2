/**
 * The reference of a record that is added at the desk. No feed may create one that starts like this, and the desk chooses a
 * random id, so that no two records ever have the same.
 */
export const deskReference = (id: string): string => `desk-${id}`;
