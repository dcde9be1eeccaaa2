import type { FeedList, FeedRecord } from '@keyturn/contract';
import type { MilestonePath } from '@keyturn/contract/staff';
import { normaliseMatter } from '../matters/matter-record.ts';
import { normaliseFields } from './define-record.ts';
import { recordDefinitions } from './record-definitions.ts';

/**
 * Converts a valid record to its normal form, which is equal for records that are stored alike: without defaults and
 * the password, with timestamps in one format and unordered lists sorted.
 * @param path the path of a matter
 */
export function normalForm<List extends FeedList>(
  list: List,
  record: FeedRecord<List>,
  path: MilestonePath | null,
): FeedRecord<List> {
  const normal = normaliseFields(recordDefinitions[list].fields, record);
  return 'milestones' in normal ? (normaliseMatter(normal, path) as unknown as typeof normal) : normal;
}
