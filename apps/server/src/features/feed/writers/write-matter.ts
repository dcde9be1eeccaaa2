import { type FeedRecord, milestonePaths } from '@keyturn/contract';
import { newId } from '../../../platform/ids.ts';
import * as tables from '../../../platform/tables/tables.ts';
import { type Known, replaceMilestones, upsert } from '../feed-store.ts';
import { RecordRejected } from '../read-document.ts';
import type { RecordContext } from '../record-context.ts';
import { assertParentUnchanged, find } from './find-references.ts';

/** Writes a matter with the milestones of its path. */
export async function writeMatter(record: FeedRecord<'matters'>, context: RecordContext): Promise<Known> {
  const { transaction, id, isNew, hash } = context;
  const parent = assertParentUnchanged(
    context,
    'matters',
    record.reference,
    '/case',
    find(context, 'cases', record.case, '/case').id,
  );
  await upsert(transaction, tables.matters, !isNew, {
    id,
    caseId: parent,
    reference: record.reference,
    matterType: record.matter_type,
    status: record.status,
    property: {
      ...record.property,
      title_number: record.property.title_number ?? null,
      price: record.property.price ?? null,
    },
    targetExchangeOn: record.target_exchange_on ?? null,
    targetCompletionOn: record.target_completion_on ?? null,
    exchangedOn: record.exchanged_on ?? null,
    completedOn: record.completed_on ?? null,
    parties: (record.parties ?? []).map((party) => ({ ...party, contact: party.contact ?? null })),
    position: context.position,
    feedHash: hash,
  });
  await replaceMilestones(transaction, id, milestonesOf(record, id, context.dependencies.clock()));
  return { id, hash, parent, caseId: parent };
}

function milestonesOf(
  record: FeedRecord<'matters'>,
  matterId: string,
  now: Date,
): (typeof tables.milestones.$inferInsert)[] {
  const path = milestonePaths[record.matter_type];
  for (const [index, { key }] of record.milestones.entries()) {
    if (!path.milestones.some((step) => step.key === key)) {
      throw new RecordRejected(`/milestones/${index}/key`, `is not a milestone of a ${record.matter_type}`);
    }
    if (record.milestones.findIndex((other) => other.key === key) !== index) {
      throw new RecordRejected(`/milestones/${index}/key`, 'duplicate key');
    }
  }
  return path.milestones.map((step, position) => {
    const index = record.milestones.findIndex(({ key }) => key === step.key);
    const sent = record.milestones[index];
    const stagePosition = path.stages.findIndex(({ keys }) => keys.includes(step.key));
    if (sent?.expected_from && sent.expected_to && sent.expected_from > sent.expected_to) {
      throw new RecordRejected(`/milestones/${index}/expected_to`, 'is before expected_from');
    }
    const usual = sent?.usual_working_days ?? (step.usual && { from: step.usual[0], to: step.usual[1] });
    if (usual && usual.from > usual.to) {
      throw new RecordRejected(`/milestones/${index}/usual_working_days/to`, 'is less than from');
    }
    return {
      id: newId(),
      matterId,
      key: step.key,
      title: sent?.title ?? step.title,
      explanation: sent?.explanation ?? step.explanation,
      stageTitle: path.stages[stagePosition]?.title ?? step.title,
      stagePosition,
      keyMoment: path.stages[stagePosition]?.keyMoment ?? false,
      actor: sent?.actor ?? step.actor,
      waitingFor: sent?.waiting_for ?? null,
      status: sent?.status ?? 'upcoming',
      reachedOn: sent?.reached_on ?? null,
      expectedFrom: sent?.expected_from ?? null,
      expectedTo: sent?.expected_to ?? null,
      waitingSince: sent?.waiting_since ?? null,
      waitingSetAt: sent?.waiting_for === undefined ? null : now,
      usualDaysFrom: usual?.from ?? null,
      usualDaysTo: usual?.to ?? null,
      nextUpdateBy: sent?.next_update_by ?? null,
      position,
    };
  });
}
