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
  isArrayOf,
  isBoolean,
  isDay,
  isInstant,
  isInteger,
  isNullOr,
  isNumber,
  isObjectOf,
  isOneOf,
  isString,
} from './check.ts';
import { clientFields, identity, isFirm } from './entity-checks.ts';

/* A case and all that belongs to it, as entity-checks.ts checks the rest. Sign-in comes without it. */

const isPrice = isObjectOf<Price>({ net: isInteger, vat_rate: isNumber, vat: isInteger, gross: isInteger });

const isProperty = isObjectOf<Property>({
  address_lines: isArrayOf(isString),
  town: isString,
  postcode: isString,
  tenure: isOneOf(tenures),
  title_number: isNullOr(isString),
  price: isNullOr(isInteger),
});

const isParty = isObjectOf<Party>({ role: isOneOf(partyRoles), name: isString, contact: isNullOr(isString) });

const isHandler = isObjectOf<Handler>({ name: isString, role: isString, phone: isString, email: isString });

const isMatter = isObjectOf<Matter>({
  ...identity,
  matter_type: isOneOf(matterTypes),
  status: isOneOf(caseStatuses),
  property: isProperty,
  stage: isNullOr(isString),
  progress: isObjectOf<Matter['progress']>({ done: isInteger, total: isInteger }),
  target_exchange_on: isNullOr(isDay),
  target_completion_on: isNullOr(isDay),
  exchanged_on: isNullOr(isDay),
  completed_on: isNullOr(isDay),
  parties: isArrayOf(isParty),
});

const isTask = isObjectOf<Task>({
  ...identity,
  kind: isOneOf(taskKinds),
  title: isString,
  explanation: isString,
  due_on: isNullOr(isDay),
  status: isOneOf(taskStatuses),
  matter_id: isNullOr(isString),
  case_search_id: isNullOr(isString),
  document_id: isNullOr(isString),
  amount: isNullOr(isInteger),
});

export const isConveyancingCase: Check<ConveyancingCase> = isObjectOf<ConveyancingCase>({
  ...identity,
  reference: isString,
  title: isString,
  status: isOneOf(caseStatuses),
  matters: isArrayOf(isMatter),
  handlers: isArrayOf(isHandler),
  firm: isFirm,
  tasks: isArrayOf(isTask),
  unread_documents: isInteger,
  amount_due: isInteger,
  amount_paid: isInteger,
});

export const isClient: Check<Client> = isObjectOf<Client>({
  ...clientFields,
  conveyancing_case: isNullOr(isConveyancingCase),
});

export const isCaseSearch = isObjectOf<CaseSearch>({
  ...identity,
  matter_id: isString,
  code: isString,
  name: isString,
  supplier: isString,
  explanation: isString,
  price: isPrice,
  refund_rule: isString,
  required_by: isOneOf(searchRequirers),
  status: isOneOf(caseSearchStatuses),
  expected_on: isNullOr(isDay),
  paid_at: isNullOr(isInstant),
  ordered_at: isNullOr(isInstant),
  returned_at: isNullOr(isInstant),
  valid_until: isNullOr(isDay),
  delayed_reason: isNullOr(isString),
  outcome: isNullOr(isOneOf(caseSearchOutcomes)),
  outcome_summary: isNullOr(isString),
  result_document_id: isNullOr(isString),
  payment: isNullOr(
    isObjectOf<NonNullable<CaseSearch['payment']>>({ id: isString, status: isOneOf(paymentStatuses) }),
  ),
  payable: isBoolean,
  under_review: isBoolean,
});
