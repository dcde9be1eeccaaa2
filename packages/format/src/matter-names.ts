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

/** What makes a matter special, as staff read it. */
export const matterFeatureNames = {
  leasehold: 'Leasehold',
  shared_ownership: 'Shared ownership',
  higher_building: 'In England, in a building of at least 11 metres or five storeys',
  new_build: 'New build',
  unregistered: 'Unregistered land',
  auction: 'Auction',
  for_value: 'Money is paid for the share, or a mortgage is taken over',
  unrepresented: 'Someone has no lawyer',
} as const;
