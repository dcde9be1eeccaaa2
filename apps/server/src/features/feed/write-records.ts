import {
  type FeedList,
  type FeedRecord,
  isSignedOnPaper,
  milestonePaths,
  minCardPayment,
} from '@keyturn/contract';
import { newId } from '../../platform/ids.ts';
import { isSignedByAll } from '../../platform/signed-by-all.ts';
import { bills } from '../../platform/tables/payment-tables.ts';
import * as tables from '../../platform/tables/tables.ts';
import {
  endAccessOfPreviousEmail,
  findPaymentOfSearch,
  type Known,
  lockBill,
  lockSearch,
  lockSignedFile,
  offerSearchAgain,
  replaceCaseClients,
  replaceMilestones,
  setInitialPassword,
  upsert,
} from './feed-store.ts';
import { findPrepared, readPrepared } from './prepare-documents.ts';
import { RecordRejected } from './read-document.ts';
import type { RecordContext } from './record-context.ts';
import { nextStatus } from './search-states.ts';

type Writer<List extends FeedList> = (record: FeedRecord<List>, context: RecordContext) => Promise<Known>;

/** Writes a record of each list, in the record's transaction. */
export const writers: { [List in FeedList]: Writer<List> } = {
  clients: async (client, context) => {
    const { dependencies, transaction, id, isNew, hash } = context;
    const { password, reference, ...rest } = client;
    const hasNoPassword = isNew || context.known.clients.get(reference)?.hasNoPassword === true;
    const setsPassword = password !== undefined && hasNoPassword;
    if (setsPassword) {
      const [problem] = dependencies.checkPassword(password);
      if (problem) throw new RecordRejected('/password', problem);
    }
    const email = rest.email.trim();
    if (!isNew) await endAccessOfPreviousEmail(transaction, id, email);
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
    if (setsPassword) await setInitialPassword(transaction, id, await dependencies.hashPassword(password));
    return { id, hash, parent: '', caseId: '', hasNoPassword: hasNoPassword && !setsPassword };
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
    await replaceMilestones(transaction, id, milestonesOf(record, id, context.dependencies.clock()));
    return { id, hash, parent, caseId: parent };
  },

  documents: async (record, context) => {
    const { dependencies, transaction, id, isNew, hash } = context;
    const matter = find(context, 'matters', record.matter, '/matter');
    const parent = assertParentUnchanged(context, 'documents', record.reference, '/matter', matter.id);
    const file = findPrepared(context.files, record);
    const supersedes = findInMatter(context, 'documents', record.supersedes, '/supersedes', parent);
    if (supersedes?.id === id) throw new RecordRejected('/supersedes', 'refers to the document itself');
    checkSigning(record);
    const before = isNew ? undefined : await lockSignedFile(transaction, id);
    if (before?.isSigned && before.sha256 !== file.sha256) {
      throw new RecordRejected(
        '/file',
        'cannot change because the document is signed; send a new document that supersedes it',
      );
    }
    if (before?.isSigned && isSignedOnPaper(record.signing ?? null)) {
      throw new RecordRejected(
        '/signing',
        'cannot change because the document is signed; send a new document that supersedes it',
      );
    }
    await upsert(transaction, tables.documents, !isNew, {
      id,
      matterId: parent,
      reference: record.reference,
      group: record.group,
      title: record.title,
      fileName: file.fileName,
      mediaType: file.mediaType,
      size: file.size,
      pages: record.pages ?? null,
      sha256: await dependencies.files.put(await readPrepared(context.folder, record, file)),
      uploadedBy: record.uploaded_by,
      sharedAt: instantOf(record.shared_at, '/shared_at'),
      supersedesId: supersedes?.id ?? null,
      signing: record.signing ?? null,
      bindsOn: record.binds_on ?? null,
      receivedOn: record.received_on ?? null,
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
      throw new RecordRejected('/search', 'is required');
    if (record.kind === 'pay' && record.amount === undefined)
      throw new RecordRejected('/amount', 'is required');
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

  bills: async (record, context) => {
    const { transaction, id, isNew, hash } = context;
    const caseId = find(context, 'cases', record.case, '/case').id;
    const parent = assertParentUnchanged(context, 'bills', record.reference, '/case', caseId);
    const matter = findInCase(context, 'matters', record.matter, '/matter', parent);
    checkDueDate(record);
    if (!isNew) await checkBillUnderPayment(transaction, id, record);
    await upsert(transaction, bills, !isNew, {
      id,
      caseId: parent,
      matterId: matter?.id ?? null,
      reference: record.reference,
      number: record.number,
      description: record.description,
      issuedOn: record.issued_on,
      dueOn: record.due_on ?? null,
      dueOnCompletion: record.due_on_completion ?? false,
      net: record.net,
      vatRate: record.vat_rate,
      vat: record.vat,
      status: record.status,
      paidOtherwise: record.paid ?? 0,
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

function checkDueDate({ matter, due_on, due_on_completion }: FeedRecord<'bills'>): void {
  if (!due_on_completion) return;
  if (due_on !== undefined) throw new RecordRejected('/due_on', 'cannot be set with due_on_completion');
  if (matter === undefined) throw new RecordRejected('/matter', 'is needed for due_on_completion');
}

/** The payments and receipts of a bill list its amounts, so these stay as they are. */
async function checkBillUnderPayment(
  transaction: RecordContext['transaction'],
  id: string,
  { net, vat, vat_rate }: FeedRecord<'bills'>,
): Promise<void> {
  const before = await lockBill(transaction, id);
  if (!before?.hasPayments) return;
  const field = before.net !== net ? '/net' : before.vat !== vat ? '/vat' : null;
  if (field !== null || before.vatRate !== vat_rate) {
    throw new RecordRejected(field ?? '/vat_rate', 'cannot change: a payment of this bill was started');
  }
}

/**
 * Writes a search. Its status only moves forward, its price is fixed once a payment has started, and a payment in
 * progress blocks other changes of status.
 */
async function writeSearch(record: FeedRecord<'searches'>, context: RecordContext): Promise<Known> {
  const { transaction, id, isNew, hash } = context;
  const matter = find(context, 'matters', record.matter, '/matter');
  const parent = assertParentUnchanged(context, 'searches', record.reference, '/matter', matter.id);
  const price = priceOf(record.price);
  if (record.status === 'awaiting_payment' && price.priceGross === 0) {
    throw new RecordRejected('/status', 'cannot be awaiting_payment: the price is 0');
  }
  if (record.status === 'awaiting_payment' && price.priceGross < minCardPayment) {
    throw new RecordRejected(
      '/price',
      `cannot be awaiting_payment at ${price.priceGross} pence with VAT: the payment provider accepts no card payment below ${minCardPayment} pence`,
    );
  }
  const result = findInMatter(context, 'documents', record.result_document, '/result_document', parent);
  const before = isNew ? undefined : await lockSearch(transaction, id);
  const payment = before ? await findPaymentOfSearch(transaction, id) : undefined;
  // The payment and its receipt list net and VAT, so neither may change.
  const isSamePrice = before?.priceNet === price.priceNet && before.priceVat === price.priceVat;
  if (before && payment && !isSamePrice) {
    throw new RecordRejected('/price', 'cannot change: a payment was started at the old price');
  }
  const next = before
    ? nextStatus(before.status, record.status, payment, before.sentStatus)
    : { status: record.status };
  if ('rejected' in next) throw new RecordRejected('/status', next.rejected);
  const instant = (field: 'paid_at' | 'ordered_at' | 'returned_at') => {
    const value = record[field];
    return value === undefined ? null : instantOf(value, `/${field}`);
  };
  const paidAt = instant('paid_at');
  const isOfferedAgain = 'isOfferedAgain' in next && next.isOfferedAgain === true;
  if (isOfferedAgain && payment) {
    const at = context.dependencies.clock();
    const { caseId } = matter;
    const offered = { caseId, caseSearchId: id, name: record.name, paymentId: payment.id, at };
    await offerSearchAgain(transaction, offered);
  }
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
    sentStatus: record.status,
    expectedOn: record.expected_on ?? null,
    paidAt: isOfferedAgain ? null : (payment?.paidAt ?? paidAt),
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

function checkSigning({ signing, binds_on, received_on }: FeedRecord<'documents'>): void {
  if (binds_on !== undefined && signing === undefined) {
    throw new RecordRejected('/binds_on', 'needs signing');
  }
  if (received_on !== undefined && !isSignedOnPaper(signing ?? null)) {
    throw new RecordRejected('/received_on', 'is only for a document with signing deed or wet_ink');
  }
}

function priceOf({ net, vat_rate, vat, gross }: FeedRecord<'searches'>['price']) {
  // Basis points keep the calculation in integers; half a penny rounds up.
  const calculated = Math.floor((net * Math.round(vat_rate * 100) + 5_000) / 10_000);
  const priceVat = vat ?? calculated;
  if (gross !== undefined && gross !== net + priceVat)
    throw new RecordRejected('/price/gross', 'must be the sum of net and VAT');
  return { priceNet: net, priceVatRate: vat_rate, priceVat, priceGross: net + priceVat };
}

/** A task to pay for a paid search, or to sign a fully signed document, stays done even if an older feed says open. */
async function statusOfTask(record: FeedRecord<'tasks'>, context: RecordContext): Promise<'open' | 'done'> {
  if (record.kind === 'sign_document' && record.status === 'open' && record.document !== undefined) {
    const documentId = find(context, 'documents', record.document, '/document').id;
    await lockSignedFile(context.transaction, documentId);
    const isSigned = await isSignedByAll(context.transaction, {
      documentId,
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

/** Rejects timestamps that the schema accepts but that do not exist, such as a leap second. */
function instantOf(value: string, field: string): Date {
  const instant = new Date(value);
  if (Number.isNaN(instant.getTime())) {
    throw new RecordRejected(field, 'must be an ISO 8601 timestamp in UTC, for example 2026-11-20T09:30:00Z');
  }
  return instant;
}

function find({ known }: RecordContext, list: FeedList, reference: string, field: string): Known {
  const found = known[list].get(reference);
  if (!found)
    throw new RecordRejected(field, `refers to "${reference}", which does not exist or was rejected`);
  return found;
}

/** Finds an optional reference, which must be in the same case. */
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
    throw new RecordRejected(field, `refers to "${reference}", which belongs to another case`);
  return found;
}

/** Finds an optional reference, which must be in the same matter. */
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
    throw new RecordRejected(field, `refers to "${reference}", which belongs to another matter`);
  return found;
}

/** @throws RecordRejected when the record would move to another case or matter */
function assertParentUnchanged(
  { known }: RecordContext,
  list: FeedList,
  reference: string,
  field: string,
  parent: string,
): string {
  const before = known[list].get(reference);
  if (before && before.parent !== '' && before.parent !== parent) {
    throw new RecordRejected(field, 'cannot change: a record stays in its case and matter');
  }
  return parent;
}
