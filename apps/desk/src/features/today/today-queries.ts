import {
  type StaffCallBody,
  type Today,
  type TodayItem,
  type TodayItemState,
  type TodayList,
  todayUrgencies,
} from '@keyturn/contract/staff';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { callStaff } from '../../api/desk-api.ts';
import { showFailure } from '../../ui/feedback/toast-store.ts';
import { useUndo } from '../../ui/feedback/use-undo.ts';

const todayKey = ['today'] as const;
/** The interval, in milliseconds, of checks for items that have become due or late. */
const pollEvery = 60_000;

/** Reads a list of Today. */
export const useTodayList = (list: TodayList) =>
  useQuery({
    queryKey: [...todayKey, list],
    queryFn: async ({ signal }) =>
      withAllItems(await callStaff('GET /staff/today', { query: { list }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: pollEvery,
    meta: { follows: 'cases' },
    refetchOnWindowFocus: true,
  });

/** *Today* with the items of all kinds in one list. */
export type ShownToday = Omit<Today, 'items' | 'added_items'> & { items: TodayItem[] };

/** Joins the two lists of an answer, the most urgent first, in the order of the server. */
export const withAllItems = ({ items, added_items = [], ...others }: Today): ShownToday => ({
  ...others,
  items: [...items, ...added_items].sort(byUrgency),
});

const byUrgency = (one: TodayItem, other: TodayItem): number =>
  todayUrgencies.indexOf(one.urgency) - todayUrgencies.indexOf(other.urgency) ||
  (one.due_on ?? one.since).localeCompare(other.due_on ?? other.since) ||
  one.case.reference.localeCompare(other.case.reference);

type ItemChange = Omit<StaffCallBody<'PUT /staff/today/{kind}/{id}'>, 'occasion' | 'version'>;

/** Returns a function that changes an item, reports the change, and offers to undo it. */
export function useItemChanges() {
  const queries = useQueryClient();
  const offerUndo = useUndo();
  const send = async (item: TodayItem, version: number, change: ItemChange): Promise<TodayItemState> => {
    const { kind, subject_id: id, occasion } = item;
    try {
      return await callStaff('PUT /staff/today/{kind}/{id}', {
        params: { kind, id },
        body: { occasion, version, ...change },
      });
    } finally {
      await queries.invalidateQueries({ queryKey: todayKey });
    }
  };
  return {
    /** @throws ApiError */
    change: async (
      item: TodayItem,
      change: ItemChange,
      { done, undone }: { done: string; undone: string },
    ) => {
      const { version } = await send(item, item.state.version, change);
      const { assigned_to, snoozed_until, is_done } = item.state;
      const before: Required<ItemChange> = { assigned_to: assigned_to?.id ?? null, snoozed_until, is_done };
      const opposite: ItemChange = Object.fromEntries(
        Object.keys(change).map((field) => [field, before[field as keyof ItemChange]]),
      );
      offerUndo({ text: done, undo: () => send(item, version, opposite), undone });
    },
    /** Shows the error of a change that was made without a dialog. */
    reportFailure: showFailure,
  };
}
