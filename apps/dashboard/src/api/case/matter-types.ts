import type { MatterType } from '@keyturn/contract';

/** What the client is doing with the property, to be followed by its name: "Buying The Old Chapel". */
export const matterActivities: Record<MatterType, string> = {
  sale: 'Selling',
  purchase: 'Buying',
  remortgage: 'Remortgaging',
  'transfer-of-equity': 'Changing the owners of',
};

/** The name of each matter type, with a capital letter: "Sale". */
export const matterTypeNames: Record<MatterType, string> = {
  sale: 'Sale',
  purchase: 'Purchase',
  remortgage: 'Remortgage',
  'transfer-of-equity': 'Transfer of equity',
};

/** The name of a matter type inside a sentence: "sale". */
export const matterTypeInSentence = (matterType: MatterType): string =>
  matterTypeNames[matterType].toLowerCase();
