import { type FeedRecord, type MatterFeature, matterFeatures } from '@keyturn/contract';
import type { MilestonePath } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import { matters } from '../../schema/tables/tables.ts';
import { normaliseMilestones, storedMilestones } from '../milestones/milestone-record.ts';
import { fieldsOf, inCase, own, type RecordDefinition, referenceTo } from '../records/define-record.ts';

const { text, value } = fieldsOf(matters);

type Matter = FeedRecord<'matters'>;

const inVocabularyOrder = (features: readonly MatterFeature[]): MatterFeature[] =>
  matterFeatures.filter((feature) => features.includes(feature));

/** A matter, as the case feed sends it and as it is stored. */
export const matterRecord = {
  table: matters,
  auditedAs: 'matter',
  ...inCase(matters),
  from: sql`matters r join conveyancing_cases k on k.id = r.case_id`,
  fields: {
    case: referenceTo('cases', sql`k.reference`),
    matter_type: value('matterType'),
    status: value('status'),
    property: text('property', {
      toStored: (sent: Matter['property']) => ({
        ...sent,
        title_number: sent.title_number ?? null,
        price: sent.price ?? null,
      }),
    }),
    target_exchange_on: value('targetExchangeOn'),
    target_completion_on: value('targetCompletionOn'),
    exchanged_on: value('exchangedOn'),
    completed_on: value('completedOn'),
    parties: text('parties', {
      toStored: (sent: Matter['parties']) =>
        (sent ?? []).map((party) => ({ ...party, contact: party.contact ?? null })),
      normalise: (sent: NonNullable<Matter['parties']>) => (sent.length > 0 ? sent : undefined),
    }),
    exchange: value('exchange'),
    features: value('features', {
      toStored: (sent: Matter['features']) => inVocabularyOrder(sent ?? []),
      normalise: (sent: MatterFeature[]) => (sent.length > 0 ? inVocabularyOrder(sent) : undefined),
    }),
    ledger: value('ledger'),
    milestones: own(storedMilestones),
  },
} satisfies RecordDefinition<'matters'>;

/** Leaves out what follows from the path of a matter. @see normaliseMilestones */
export const normaliseMatter = ({ milestones, ...rest }: Matter, path: MilestonePath | null): Matter => ({
  ...rest,
  milestones: normaliseMilestones(milestones, path),
});
