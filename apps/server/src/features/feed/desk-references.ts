/** How the references of records start that staff add at the desk. No feed creates such a record. */
export const deskPrefix = 'desk-';
