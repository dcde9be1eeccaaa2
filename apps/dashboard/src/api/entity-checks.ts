import {
  type CaseSearch,
  type Client,
  type ConveyancingCase,
  caseSearchOutcomes,
  caseSearchStatuses,
  caseStatuses,
  type Firm,
  type Handler,
  type Maintenance,
  type MaintenanceNotice,
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

/*
 * The contract's entities as they must be before a screen may trust them, from the network or from storage. Each
 * check names every field of its type, so a field added to the contract does not compile until it is checked here.
 */

export const identity = { id: isText, created_at: isInstant, updated_at: isInstant };

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

export const isFirm = isRecordOf<Firm>({
  name: isText,
  sra_number: isText,
  phone: isText,
  address: isListOf(isText),
  opening_hours: isText,
});

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

/** The client without the case, as it is kept with the token. */
export type SignedInClient = Omit<Client, 'conveyancing_case'>;

const clientFields = {
  ...identity,
  title: isNullOr(isText),
  first_name: isText,
  last_name: isText,
  email: isText,
  phone: isNullOr(isText),
  active_case: isNullOr(isRecordOf<{ id: string; reference: string }>({ id: isText, reference: isText })),
  cases: isListOf(isRecordOf<Client['cases'][number]>({ id: isText, reference: isText, title: isText })),
};

export const isSignedInClient: Check<SignedInClient> = isRecordOf<SignedInClient>(clientFields);

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
});

const isMaintenanceNotice = isRecordOf<MaintenanceNotice>({
  message: isNullOr(isText),
  until: isNullOr(isInstant),
});

export const isMaintenance = isRecordOf<Maintenance>({
  general: isNullOr(isMaintenanceNotice),
  case_history: isNullOr(isMaintenanceNotice),
});
