/**
 * Rewords the party that a step waits for, which the server names as the first client of the case reads it, for staff:
 * “Signatures from you and Tom” becomes “Signatures from Amelia and Tom”.
 */
export const textForStaff = (waitingFor: string, firstClient: string): string =>
  waitingFor
    .replaceAll(/\byou\b/gi, firstClient)
    .replaceAll(/\bYour\b/g, 'The clients’')
    .replaceAll(/\byour\b/g, 'the clients’');
