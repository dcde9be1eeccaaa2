import { type HistoryCategory, historyCategories } from '@keyturn/contract';

/** The label of each history category, for a single entry. */
export const historyCategoryNames: Record<HistoryCategory, string> = {
  milestone: 'Milestone',
  search: 'Search',
  document: 'Document',
  payment: 'Payment',
  message: 'Update',
  case: 'Case',
};

/** The options of the category filter; an empty value means all categories. */
export const categoryOptions: { value: HistoryCategory | ''; label: string }[] = [
  { value: '', label: 'Everything' },
  ...historyCategories.map((value) => ({
    value,
    label: {
      milestone: 'Milestones',
      search: 'Searches',
      document: 'Documents',
      payment: 'Payments',
      message: 'Updates',
      case: 'Your case',
    }[value],
  })),
];

/** Returns the category of a filter value, or undefined for all categories and unknown values. */
export const parseCategory = (value: string): HistoryCategory | undefined =>
  historyCategories.find((category) => category === value);
