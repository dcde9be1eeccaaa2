/** The channel of the desk, for all staff and for no client. */
export const deskChannel = 'private-desk';

/**
 * The only event of the desk’s channel, with the content of all events: `ids` are the cases in which something has
 * changed. Empty: anything may have changed.
 */
export const deskEvent = 'DeskUpdated';
