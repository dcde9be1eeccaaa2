import { isDeepStrictEqual } from 'node:util';
import type { FeedRecord } from '@keyturn/contract';
import type { MilestonePath } from '@keyturn/contract/staff';
import { type SQL, sql } from 'drizzle-orm';
import { milestones as table } from '../../schema/tables/tables.ts';
import { fieldsOf, own, type RecordField, readFields } from '../records/define-record.ts';

type MilestoneOfRecord = FeedRecord<'matters'>['milestones'][number];

const { text, value } = fieldsOf(table, 's');

/** A milestone in the record of its matter. Its texts are those of the path of the matter, unless it was sent with others. */
export const milestoneRecord = {
  table,
  fields: {
    key: own(sql`s.key`, { isAudited: true }),
    status: own(sql`s.status`, { isAudited: true }),
    title: own(sql`s.title`),
    explanation: own(sql`s.explanation`),
    actor: own(sql`s.actor`, { isAudited: true }),
    waiting_for: text('waitingFor'),
    reached_on: value('reachedOn'),
    expected_from: value('expectedFrom'),
    expected_to: value('expectedTo'),
    waiting_since: value('waitingSince'),
    usual_working_days: own(sql`case when s.usual_days_from is not null
      then json_build_object('from', s.usual_days_from, 'to', s.usual_days_to) end`),
    next_update_by: value('nextUpdateBy'),
  } satisfies { [Field in keyof MilestoneOfRecord]-?: RecordField },
};

/** The milestones of the matter in the row `r`, as JSON. */
export const storedMilestones: SQL = sql`(select json_agg(json_build_object(${readFields(milestoneRecord.fields)})
  order by s.position) from milestones s where s.matter_id = r.id)`;

/** Leaves out upcoming milestones, and texts that equal those of the path. */
export function normaliseMilestones(
  milestones: readonly MilestoneOfRecord[],
  path: MilestonePath | null,
): MilestoneOfRecord[] {
  return (path?.steps ?? []).flatMap((step) => {
    const sent = milestones.find(({ key }) => key === step.key);
    if (!sent) return [];
    const { title, explanation, actor, usual_working_days: usual, ...others } = sent;
    const isUsual = isDeepStrictEqual(usual ?? null, step.usual_working_days);
    const ofStep = {
      ...(title === step.title ? {} : { title }),
      ...(explanation === step.explanation ? {} : { explanation }),
      ...(actor === step.actor ? {} : { actor }),
      ...(isUsual ? {} : { usual_working_days: usual }),
    };
    const milestone = Object.fromEntries(
      Object.entries({ ...others, ...ofStep }).filter(([, field]) => field !== undefined),
    ) as MilestoneOfRecord;
    return milestone.status === 'upcoming' && Object.keys(milestone).length === 2 ? [] : [milestone];
  });
}
