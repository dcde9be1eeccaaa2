import { isDeepStrictEqual } from 'node:util';
import type { FeedRecord, MatterFeature } from '@keyturn/contract';
import { hasUsualTimes } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import { type PathVersion, readPaths } from '../../platform/firm-data/read-paths.ts';
import { newId } from '../../platform/ids.ts';
import * as tables from '../../schema/tables/tables.ts';
import { writeRows } from '../../schema/write-rows.ts';
import { milestoneRecord } from '../milestones/milestone-record.ts';
import { deleteOtherMilestones, writeMilestones } from '../milestones/milestone-rows.ts';
import { storedColumns } from '../records/define-record.ts';
import type { RecordWriter, WriterContext } from '../records/record-writer.ts';
import { assertParentUnchanged, find } from '../records/references.ts';
import { RecordRejected } from '../records/rejected-record.ts';
import { matterRecord } from './matter-record.ts';
import { isForMatter } from './plan-path.ts';

/**
 * Writes matters with the milestones of their paths. New matters get the current path; stored ones keep theirs unless
 * the import requests the current one.
 */
export async function openMatterWriter(context: WriterContext<'matters'>): Promise<RecordWriter<'matters'>> {
  const rows: { isNew: boolean; row: typeof tables.matters.$inferInsert }[] = [];
  const milestones: (typeof tables.milestones.$inferInsert)[] = [];
  const stored = new Set(context.changes.flatMap(({ id, isNew }) => (isNew ? [] : [id])));
  const pathOf = await readPaths(context.transaction, context.paths === 'own' ? [...stored] : []);
  const keptOf = await readKept(context);
  return {
    plan: ({ record, id, isNew, sent, position }) => {
      const caseId = find(context, 'cases', record.case, '/case').id;
      const parent = assertParentUnchanged(context, 'matters', record.reference, '/case', caseId);
      const { version, path } = pathOf(id, record.matter_type);
      const kept = keptOf(id);
      const features = record.features ?? kept?.features ?? [];
      const ofMatter = milestonesOf(record, {
        ...{ path, features, quiet: kept?.quiet ?? [] },
        ...{ matterId: id, now: context.clock() },
      });
      rows.push({
        isNew,
        row: {
          ...storedColumns(matterRecord, record),
          ...(record.exchange === undefined ? { exchange: exchangeOf(kept, record.exchanged_on) } : {}),
          ...(record.features === undefined ? { features } : {}),
          id,
          caseId: parent,
          pathVersion: version,
          position,
          feedHash: sent.hash,
          feedSentAt: sent.sentAt,
        },
      });
      milestones.push(...ofMatter);
      return { id, ...sent, parent, caseId: parent };
    },
    write: async () => {
      await writeRows(context.transaction, tables.matters, rows);
      const ofStored = milestones.filter(({ matterId }) => stored.has(matterId));
      if (ofStored.length > 0) await deleteOtherMilestones(context.transaction, ofStored);
      await writeMilestones(context.transaction, milestones);
    },
  };
}

/** What a matter keeps while a system that does not know it sends the matter. */
type Kept = Pick<typeof tables.matters.$inferSelect, 'exchange' | 'exchangedOn' | 'features'> & {
  /** The keys of its quiet steps. */
  quiet: string[];
};

/** Reads what stored matters keep. @returns a function that returns that of a matter; undefined for a new one */
async function readKept({
  transaction,
  changes,
}: WriterContext<'matters'>): Promise<(matterId: string) => Kept | undefined> {
  const ids = changes.flatMap(({ id, isNew }) => (isNew ? [] : [id]));
  const { id, exchange, exchangedOn, features } = tables.matters;
  const quiet = sql<string[]>`array(select m.key from quiet_steps q join milestones m on m.id = q.milestone_id
    where m.matter_id = matters.id)`;
  const rows =
    ids.length === 0
      ? []
      : await transaction
          .select({ id, exchange, exchangedOn, features, quiet })
          .from(tables.matters)
          .where(sql`${id} = any(${sql.param(ids)}::uuid[])`);
  const stored = new Map(rows.map((row) => [row.id, row]));
  return (matterId) => stored.get(matterId);
}

/** The details of an exchange are kept while the same day is sent. */
const exchangeOf = (kept: Kept | undefined, day: string | undefined) =>
  kept && day !== undefined && kept.exchangedOn === day ? kept.exchange : null;

function milestonesOf(
  record: FeedRecord<'matters'>,
  {
    path,
    features,
    quiet,
    matterId,
    now,
  }: {
    path: PathVersion['path'];
    features: readonly MatterFeature[];
    quiet: readonly string[];
    matterId: string;
    now: Date;
  },
): (typeof tables.milestones.$inferInsert)[] {
  for (const [index, { key }] of record.milestones.entries()) {
    if (!path.steps.some((step) => step.key === key)) {
      throw new RecordRejected(`/milestones/${index}/key`, `is not a milestone of a ${record.matter_type}`);
    }
    if (record.milestones.findIndex((other) => other.key === key) !== index) {
      throw new RecordRejected(`/milestones/${index}/key`, 'duplicate key');
    }
  }
  return path.steps.flatMap((step, position) => {
    const index = record.milestones.findIndex(({ key }) => key === step.key);
    const sent = record.milestones[index];
    // What the firm has sent about a step stays, for example that it is done, and so does a quiet step, which would come back as another.
    if (!sent && !isForMatter(step, features) && !quiet.includes(step.key)) return [];
    const stage = path.stages[step.stage];
    if (sent?.expected_from && sent.expected_to && sent.expected_from > sent.expected_to) {
      throw new RecordRejected(`/milestones/${index}/expected_to`, 'is before expected_from');
    }
    const usual = sent?.usual_working_days ?? step.usual_working_days;
    const isOfPath = isDeepStrictEqual(usual, step.usual_working_days);
    if (usual && usual.from > usual.to) {
      throw new RecordRejected(`/milestones/${index}/usual_working_days/to`, 'is less than from');
    }
    return {
      ...storedColumns(milestoneRecord, sent ?? {}),
      id: newId(),
      matterId,
      key: step.key,
      title: sent?.title ?? step.title,
      explanation: sent?.explanation ?? step.explanation,
      stageTitle: stage?.title ?? step.title,
      stagePosition: step.stage,
      keyMoment: stage?.key_moment ?? false,
      actor: sent?.actor ?? step.actor,
      status: sent?.status ?? 'upcoming',
      waitingSetAt: sent?.waiting_for === undefined ? null : now,
      usualDaysFrom: usual?.from ?? null,
      usualDaysTo: usual?.to ?? null,
      usualWeeksFrom: step.usual_weeks?.from ?? null,
      usualWeeksTo: step.usual_weeks?.to ?? null,
      figuresOf: hasUsualTimes(step) && isOfPath ? (path.figures_of ?? null) : null,
      position,
    };
  });
}
