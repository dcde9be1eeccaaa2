import type { BindingMoment } from '@keyturn/contract';
import type { documents, matters } from '../schema/tables/tables.ts';

/**
 * Determines when a signed document commits its signers. Unless the firm says so, a contract in its folder does so on
 * exchange; nothing is assumed about other documents. After exchange, no document waits for it.
 */
export function bindingMomentOf(
  { bindsOn, group, signing }: Pick<typeof documents.$inferSelect, 'bindsOn' | 'group' | 'signing'>,
  { matterType, exchangedOn }: Pick<typeof matters.$inferSelect, 'matterType' | 'exchangedOn'>,
): BindingMoment | null {
  const isContract =
    signing === 'simple' && group === 'contract' && (matterType === 'sale' || matterType === 'purchase');
  const moment = bindsOn ?? (isContract ? 'exchange' : null);
  return moment === 'exchange' && exchangedOn !== null ? null : moment;
}
