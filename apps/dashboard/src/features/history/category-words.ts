import { type HistoryCategory, historyCategories } from '@keyturn/contract';

/** What kind of thing an entry is about. */
export const categoryLabels: Record<HistoryCategory, string> = {
  milestone: 'Milestone',
  search: 'Search',
  document: 'Document',
  payment: 'Payment',
  message: 'Message',
  case: 'Case',
};

/** For a choice among them; empty: all. */
export const categoryChoices: { value: HistoryCategory | ''; words: string }[] = [
  { value: '', words: 'Everything' },
  ...historyCategories.map((value) => ({
    value,
    words: {
      milestone: 'Milestones',
      search: 'Searches',
      document: 'Documents',
      payment: 'Payments',
      message: 'Messages',
      case: 'The case itself',
    }[value],
  })),
];

export const asCategory = (value: string): HistoryCategory | undefined =>
  historyCategories.find((category) => category === value);
