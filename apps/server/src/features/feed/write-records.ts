import { createHash } from 'node:crypto';
import { type FeedList, type FeedRecord, milestonePaths } from '@keyturn/contract';
import { newId } from '../../platform/ids.ts';
import * as tables from '../../platform/tables.ts';
import {
  endSignInsOfOtherEmail,
  findPaymentOfSearch,
  givePassword,
  isSignedByAll,
  type Known,
  lockSearch,
  lockSignedFile,
  replaceCaseClients,
  replaceMilestones,
  upsert,
} from './feed-store.ts';
import type { RecordContext } from './import-feed.ts';
import { RecordRefused, readFeedDocument } from './read-document.ts';
import { nextStatus } from './search-states.ts';

type Writer<List extends FeedList> = (record: FeedRecord<List>, context: RecordContext) => Promise<Known>;

/** How a record of each list is written, in the transaction of its own. */
export const writers: { [List in FeedList]: Writer<List> } = {
  clients: async (client, context) => {
    const { dependencies, transaction, id, isNew, hash } = context;
    const { password, reference, ...rest } = client;
    const lacksPassword = isNew || context.known.clients.get(reference)?.lacksPassword === true;
    const isWanted = password !== undefined && lacksPassword;
    if (isWanted) {
      const [problem] = dependencies.checkPassword(password);
      if (problem) throw new RecordRefused('/password', problem);
    }
    const email = rest.email.trim();
    if (!isNew) await endSignInsOfOtherEmail(transaction, id, email);
    await upsert(transaction, tables.clients, !isNew, {
      id,
      reference,
      title: rest.title ?? null,
      firstName: rest.first_name,
      lastName: rest.last_name,
      email,
      phone: rest.phone ?? null,
      feedHash: hash,
    });
    if (isWanted) await givePassword(transaction, id, await dependencies.hashPassword(password));
    return { id, hash, parent: '', caseId: '', lacksPassword: lacksPassword && !isWanted };
  },

  cases: async (record, context) => {
    const { transaction, id, isNew, hash } = context;
    const clientIds = record.clients.map(
      (client, index) => find(context, 'clients', client, `/clients/${index}`).id,
    );
    await upsert(transaction, tables.conveyancingCases, !isNew, {
      id,
      reference: record.reference,
      title: record.title,
      status: record.status,
      handlers: record.handlers,
      feedHash: hash,
    });
    await replaceCaseClients(transaction, id, [...new Set(clientIds)]);
    return { id, hash, parent: '', caseId: id };
  },

  matters: async (record, context) => {
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
    await replaceMilestones(transaction, id, milestonesOf(record, id));
    return { id, hash, parent, caseId: parent };
  },

  documents: async (record, context) => {
    const { dependencies, transaction, id, isNew, hash } = context;
    const matter = find(context, 'matters', record.matter, '/matter');
    const parent = assertParentUnchanged(context, 'documents', record.reference, '/matter', matter.id);
    const file = await readFeedDocument(context.folder, record.file);
    const supersedes = findInMatter(context, 'documents', record.supersedes, '/supersedes', parent);
    if (supersedes?.id === id) throw new RecordRefused('/supersedes', 'names the document itself');
    const fault = record.signature_required && (await dependencies.findSigningFault(file.content));
    if (fault) throw new RecordRefused('/file', `cannot be signed: ${fault}`);
    const sha256 = createHash('sha256').update(file.content).digest('hex');
    const before = isNew ? undefined : await lockSignedFile(transaction, id);
    if (before?.isSigned && before.sha256 !== sha256) {
      throw new RecordRefused('/file', 'cannot change: it is signed; send a new document that supersedes it');
    }
    await upsert(transaction, tables.documents, !isNew, {
      id,
      matterId: parent,
      reference: record.reference,
      group: record.group,
      title: record.title,
      fileName: file.fileName,
      mediaType: file.mediaType,
      size: file.content.length,
      pages: record.pages ?? null,
      sha256: await dependencies.files.put(file.content),
      uploadedBy: record.uploaded_by,
      sharedAt: instantOf(record.shared_at, '/shared_at'),
      supersedesId: supersedes?.id ?? null,
      signatureRequired: record.signature_required ?? false,
      feedHash: hash,
    });
    return { id, hash, parent, caseId: matter.caseId };
  },

  searches: writeSearch,

  tasks: async (record, context) => {
    const { transaction, id, isNew, hash } = context;
    const caseId = find(context, 'cases', record.case, '/case').id;
    const parent = assertParentUnchanged(context, 'tasks', record.reference, '/case', caseId);
    const matter = findInCase(context, 'matters', record.matter, '/matter', parent);
    const idOf = (list: 'searches' | 'documents', reference: string | undefined, field: string) => {
      const named = findInCase(context, list, reference, field, parent);
      return (matter ? findInMatter(context, list, reference, field, matter.id) : named)?.id ?? null;
    };
    if (record.kind === 'pay_search' && record.search === undefined)
      throw new RecordRefused('/search', 'is required');
    if (record.kind === 'pay' && record.amount === undefined)
      throw new RecordRefused('/amount', 'is required');
    await upsert(transaction, tables.tasks, !isNew, {
      id,
      caseId: parent,
      matterId: matter?.id ?? null,
      reference: record.reference,
      kind: record.kind,
      title: record.title,
      explanation: record.explanation,
      dueOn: record.due_on ?? null,
      status: await statusOfTask(record, context),
      caseSearchId: idOf('searches', record.search, '/search'),
      documentId: idOf('documents', record.document, '/document'),
      amount: record.amount ?? null,
      position: context.position,
      feedHash: hash,
    });
    return { id, hash, parent, caseId: parent };
  },

  history: async (record, context) => {
    const { transaction, id, isNew, hash } = context;
    const caseId = find(context, 'cases', record.case, '/case').id;
    const parent = assertParentUnchanged(context, 'history', record.reference, '/case', caseId);
    await upsert(transaction, tables.historyEntries, !isNew, {
      id,
      caseId: parent,
      reference: record.reference,
      occurredAt: instantOf(record.occurred_at, '/occurred_at'),
      category: record.category,
      actor: record.actor,
      summary: record.summary,
      feedHash: hash,
    });
    return { id, hash, parent, caseId: parent };
  },
};

/**
 * The firm's word counts, but a search goes only forward, its price stays once a payment was started, and it waits
 * for a payment that is under way.
 */
async function writeSearch(record: FeedRecord<'searches'>, context: RecordContext): Promise<Known> {
  const { transaction, id, isNew, hash } = context;
  const matter = find(context, 'matters', record.matter, '/matter');
  const parent = assertParentUnchanged(context, 'searches', record.reference, '/matter', matter.id);
  const price = priceOf(record.price);
  if (record.status === 'awaiting_payment' && price.priceGross === 0) {
    throw new RecordRefused('/status', 'cannot be awaiting_payment: the price is 0');
  }
  const result = findInMatter(context, 'documents', record.result_document, '/result_document', parent);
  const before = isNew ? undefined : await lockSearch(transaction, id);
  const payment = before ? await findPaymentOfSearch(transaction, id) : undefined;
  // The payment's lines, and its receipt, say the net and the VAT as well.
  const isSamePrice = before?.priceNet === price.priceNet && before.priceVat === price.priceVat;
  if (before && payment && !isSamePrice) {
    throw new RecordRefused('/price', 'cannot change: a payment was started at the old price');
  }
  const next = before ? nextStatus(before.status, record.status, payment) : { status: record.status };
  if ('refused' in next) throw new RecordRefused('/status', next.refused);
  const instant = (field: 'paid_at' | 'ordered_at' | 'returned_at') => {
    const value = record[field];
    return value === undefined ? null : instantOf(value, `/${field}`);
  };
  const paidAt = instant('paid_at');
  await upsert(transaction, tables.caseSearches, !isNew, {
    id,
    matterId: parent,
    reference: record.reference,
    code: record.code,
    name: record.name,
    supplier: record.supplier,
    explanation: record.explanation,
    ...price,
    refundRule: record.refund_rule,
    requiredBy: record.required_by,
    status: next.status,
    expectedOn: record.expected_on ?? null,
    paidAt: payment?.paidAt ?? paidAt,
    orderedAt: instant('ordered_at'),
    returnedAt: instant('returned_at'),
    validUntil: record.valid_until ?? null,
    delayedReason: record.delayed_reason ?? null,
    outcome: record.outcome ?? null,
    outcomeSummary: record.outcome_summary ?? null,
    resultDocumentId: result?.id ?? null,
    position: context.position,
    feedHash: hash,
  });
  return { id, hash, parent, caseId: matter.caseId };
}

function priceOf({ net, vat_rate, vat, gross }: FeedRecord<'searches'>['price']) {
  // Basis points keep the sum in whole numbers; half a penny goes up.
  const reckoned = Math.floor((net * Math.round(vat_rate * 100) + 5_000) / 10_000);
  const priceVat = vat ?? reckoned;
  if (gross !== undefined && gross !== net + priceVat)
    throw new RecordRefused('/price/gross', 'is not net and VAT together');
  return { priceNet: net, priceVatRate: vat_rate, priceVat, priceGross: net + priceVat };
}

/** A task to pay for what is paid here, or to sign what all have signed, is done, whatever an older feed says. */
async function statusOfTask(record: FeedRecord<'tasks'>, context: RecordContext): Promise<'open' | 'done'> {
  if (record.kind === 'sign_document' && record.status === 'open' && record.document !== undefined) {
    const isSigned = await isSignedByAll(context.transaction, {
      documentId: find(context, 'documents', record.document, '/document').id,
      caseId: find(context, 'cases', record.case, '/case').id,
    });
    return isSigned ? 'done' : 'open';
  }
  if (record.kind !== 'pay_search' || record.status === 'done' || record.search === undefined)
    return record.status;
  const payment = await findPaymentOfSearch(
    context.transaction,
    find(context, 'searches', record.search, '/search').id,
  );
  return payment?.paidAt ? 'done' : 'open';
}

function milestonesOf(
  record: FeedRecord<'matters'>,
  matterId: string,
): (typeof tables.milestones.$inferInsert)[] {
  const path = milestonePaths[record.matter_type];
  for (const [index, { key }] of record.milestones.entries()) {
    if (!path.milestones.some((step) => step.key === key)) {
      throw new RecordRefused(`/milestones/${index}/key`, `is not a step of a ${record.matter_type}`);
    }
    if (record.milestones.findIndex((other) => other.key === key) !== index) {
      throw new RecordRefused(`/milestones/${index}/key`, 'stands twice');
    }
  }
  return path.milestones.map((step, position) => {
    const index = record.milestones.findIndex(({ key }) => key === step.key);
    const given = record.milestones[index];
    const stagePosition = path.stages.findIndex(({ keys }) => keys.includes(step.key));
    if (given?.expected_from && given.expected_to && given.expected_from > given.expected_to) {
      throw new RecordRefused(`/milestones/${index}/expected_to`, 'is before expected_from');
    }
    const usual = given?.usual_working_days ?? (step.usual && { from: step.usual[0], to: step.usual[1] });
    if (usual && usual.from > usual.to) {
      throw new RecordRefused(`/milestones/${index}/usual_working_days/to`, 'is less than from');
    }
    return {
      id: newId(),
      matterId,
      key: step.key,
      title: given?.title ?? step.title,
      explanation: given?.explanation ?? step.explanation,
      stageTitle: path.stages[stagePosition]?.title ?? step.title,
      stagePosition,
      keyMoment: path.stages[stagePosition]?.keyMoment ?? false,
      actor: given?.actor ?? step.actor,
      waitingFor: given?.waiting_for ?? null,
      status: given?.status ?? 'upcoming',
      reachedOn: given?.reached_on ?? null,
      expectedFrom: given?.expected_from ?? null,
      expectedTo: given?.expected_to ?? null,
      waitingSince: given?.waiting_since ?? null,
      usualDaysFrom: usual?.from ?? null,
      usualDaysTo: usual?.to ?? null,
      nextUpdateBy: given?.next_update_by ?? null,
      position,
    };
  });
}

/** An instant that the calendar has: the schema lets some pass that it has not, such as a leap second. */
function instantOf(value: string, field: string): Date {
  const instant = new Date(value);
  if (Number.isNaN(instant.getTime())) {
    throw new RecordRefused(field, 'is no instant of the form 2026-11-20T09:30:00Z');
  }
  return instant;
}

function find({ known }: RecordContext, list: FeedList, reference: string, field: string): Known {
  const found = known[list].get(reference);
  if (!found) throw new RecordRefused(field, `names "${reference}", which is not there or was refused`);
  return found;
}

/** Something of the same case, where it is named at all. */
function findInCase(
  context: RecordContext,
  list: FeedList,
  reference: string | undefined,
  field: string,
  caseId: string,
): Known | undefined {
  if (reference === undefined) return undefined;
  const found = find(context, list, reference, field);
  if (found.caseId !== caseId)
    throw new RecordRefused(field, `names "${reference}", which belongs to another case`);
  return found;
}

/** Something of the same matter, where it is named at all. */
function findInMatter(
  context: RecordContext,
  list: 'searches' | 'documents',
  reference: string | undefined,
  field: string,
  matterId: string,
): Known | undefined {
  if (reference === undefined) return undefined;
  const found = find(context, list, reference, field);
  if (found.parent !== matterId)
    throw new RecordRefused(field, `names "${reference}", which belongs to another matter`);
  return found;
}

/** A record never moves to another case or matter. */
function assertParentUnchanged(
  { known }: RecordContext,
  list: FeedList,
  reference: string,
  field: string,
  parent: string,
): string {
  const before = known[list].get(reference);
  if (before && before.parent !== '' && before.parent !== parent) {
    throw new RecordRefused(field, 'cannot change: it belongs to another one');
  }
  return parent;
}
