import {
  type CaseSearch,
  type Client,
  type ConveyancingCase,
  caseSearchOutcomes,
  caseSearchStatuses,
  caseStatuses,
  type Handler,
  type Matter,
  matterTypes,
  type Party,
  type Price,
  type Property,
  partyRoles,
  paymentStatuses,
  searchRequirers,
  type Task,
  taskKinds,
  taskStatuses,
  tenures,
} from '@keyturn/contract';
import {
  type Check,
  isDay,
  isFlag,
  isInstant,
  isInteger,
  isListOf,
  isNullOr,
  isNumber,
  isOneOf,
  isRecordOf,
  isText,
} from './check.ts';
import { clientFields, identity, isFirm } from './entity-checks.ts';

/* A case and all that belongs to it, as entity-checks.ts checks the rest. Sign-in comes without it. */

const isPrice = isRecordOf<Price>({ net: isInteger, vat_rate: isNumber, vat: isInteger, gross: isInteger });

const isProperty = isRecordOf<Property>({
  address_lines: isListOf(isText),
  town: isText,
  postcode: isText,
  tenure: isOneOf(tenures),
  title_number: isNullOr(isText),
  price: isNullOr(isInteger),
});

const isParty = isRecordOf<Party>({ role: isOneOf(partyRoles), name: isText, contact: isNullOr(isText) });

const isHandler = isRecordOf<Handler>({ name: isText, role: isText, phone: isText, email: isText });

const isMatter = isRecordOf<Matter>({
  ...identity,
  matter_type: isOneOf(matterTypes),
  status: isOneOf(caseStatuses),
  property: isProperty,
  stage: isNullOr(isText),
  progress: isRecordOf<Matter['progress']>({ done: isInteger, total: isInteger }),
  target_exchange_on: isNullOr(isDay),
  target_completion_on: isNullOr(isDay),
  exchanged_on: isNullOr(isDay),
  completed_on: isNullOr(isDay),
  parties: isListOf(isParty),
});

const isTask = isRecordOf<Task>({
  ...identity,
  kind: isOneOf(taskKinds),
  title: isText,
  explanation: isText,
  due_on: isNullOr(isDay),
  status: isOneOf(taskStatuses),
  matter_id: isNullOr(isText),
  case_search_id: isNullOr(isText),
  document_id: isNullOr(isText),
  amount: isNullOr(isInteger),
});

export const isConveyancingCase: Check<ConveyancingCase> = isRecordOf<ConveyancingCase>({
  ...identity,
  reference: isText,
  title: isText,
  status: isOneOf(caseStatuses),
  matters: isListOf(isMatter),
  handlers: isListOf(isHandler),
  firm: isFirm,
  tasks: isListOf(isTask),
  unread_documents: isInteger,
  amount_due: isInteger,
  amount_paid: isInteger,
});

export const isClient: Check<Client> = isRecordOf<Client>({
  ...clientFields,
  conveyancing_case: isNullOr(isConveyancingCase),
});

export const isCaseSearch = isRecordOf<CaseSearch>({
  ...identity,
  matter_id: isText,
  code: isText,
  name: isText,
  supplier: isText,
  explanation: isText,
  price: isPrice,
  refund_rule: isText,
  required_by: isOneOf(searchRequirers),
  status: isOneOf(caseSearchStatuses),
  expected_on: isNullOr(isDay),
  paid_at: isNullOr(isInstant),
  ordered_at: isNullOr(isInstant),
  returned_at: isNullOr(isInstant),
  valid_until: isNullOr(isDay),
  delayed_reason: isNullOr(isText),
  outcome: isNullOr(isOneOf(caseSearchOutcomes)),
  outcome_summary: isNullOr(isText),
  result_document_id: isNullOr(isText),
  payment: isNullOr(
    isRecordOf<NonNullable<CaseSearch['payment']>>({ id: isText, status: isOneOf(paymentStatuses) }),
  ),
  payable: isFlag,
  under_review: isFlag,
});
