/** The client's activity, for use before the name of the property: "Buying The Old Chapel". */
export const matterActivities = {
  sale: 'Selling',
  purchase: 'Buying',
  remortgage: 'Remortgaging',
  'transfer-of-equity': 'Changing the owners of',
} as const;

/** The name of each matter type at the start of a line: "Sale". */
export const matterTypeNames = {
  sale: 'Sale',
  purchase: 'Purchase',
  remortgage: 'Remortgage',
  'transfer-of-equity': 'Transfer of equity',
} as const;

/** Returns the name of a matter type for the middle of a sentence: "sale". */
export const matterTypeInSentence = (matterType: keyof typeof matterTypeNames): string =>
  matterTypeNames[matterType].toLowerCase();

/** What clients read about a matter that is not active. */
export const matterStatusTexts = {
  on_hold: 'On hold',
  completed: 'Completed',
  abandoned: 'Not going ahead',
} as const;
