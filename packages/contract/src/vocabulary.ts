/* The enumerations that the database, the server, the dashboard and the case feed share. */

export const matterTypes = ['sale', 'purchase', 'remortgage', 'transfer-of-equity'] as const;
export type MatterType = (typeof matterTypes)[number];

export const caseStatuses = ['active', 'on_hold', 'completed', 'abandoned'] as const;
export type CaseStatus = (typeof caseStatuses)[number];

/**
 * What the firm knows of a client’s right to cancel its services (Consumer Contracts Regulations 2013): `none` for a client
 * who is not a consumer or who signed at the office, `ends_on` for a day after the notice was given, or `unknown`.
 */
export const cancellationPeriods = ['none', 'ends_on', 'unknown'] as const;
export type CancellationPeriod = (typeof cancellationPeriods)[number];

/** What makes a matter special: a step of its path can be for these only. `for_value`: money is paid, or a mortgage taken over. */
export const matterFeatures = [
  'leasehold',
  'shared_ownership',
  'higher_building',
  'new_build',
  'unregistered',
  'auction',
  'for_value',
  'unrepresented',
] as const;
export type MatterFeature = (typeof matterFeatures)[number];

export const tenures = ['freehold', 'leasehold', 'commonhold'] as const;
export const partyRoles = ['other_side', 'estate_agent', 'lender', 'broker'] as const;

export const milestoneActors = ['you', 'us', 'other_side', 'third_party'] as const;
export type MilestoneActor = (typeof milestoneActors)[number];

export const milestoneStatuses = ['done', 'current', 'upcoming', 'blocked', 'not_needed'] as const;
export type MilestoneStatus = (typeof milestoneStatuses)[number];

export const caseSearchStatuses = [
  'awaiting_payment',
  'paid',
  'ordered',
  'returned',
  'reviewed',
  'cancelled',
] as const;
export type CaseSearchStatus = (typeof caseSearchStatuses)[number];

/** How the deposit is held after exchange: as agent for the seller, or as stakeholder for both sides. */
export const depositHoldings = ['agent', 'stakeholder'] as const;
export type DepositHolding = (typeof depositHoldings)[number];

export const caseSearchOutcomes = ['clear', 'attention'] as const;
export const searchRequirements = ['lender', 'firm', 'optional'] as const;

/** When a firm orders a search that a client has paid for: once the money has cleared, or at once from its own money. */
export const orderingRules = ['cleared', 'at_once'] as const;
export type OrderingRule = (typeof orderingRules)[number];

/** What a payment comes after: the identity check of the matter, or nothing. */
export const paymentSteps = ['identity_checked', 'none'] as const;
export type PaymentStep = (typeof paymentSteps)[number];

/**
 * What the order of a search that was paid for can wait for: finance checks another person who paid, the money clears, or the
 * request to order is filed.
 */
export const orderObstacles = ['payer_check', 'clearing', 'filing'] as const;

export const documentGroups = [
  'client-care',
  'identity-funds',
  'title',
  'property-forms',
  'certificates',
  'contract',
  'searches',
  'enquiries',
  'mortgage',
  'leasehold',
  'survey',
  'reports',
  'to-sign',
  'money',
  'after-completion',
] as const;
export type DocumentGroup = (typeof documentGroups)[number];

/**
 * How a document is signed. A typed name signs only `simple` ones. A `deed` is signed on paper in front of a witness,
 * and `wet_ink` is any other paper that must be signed with a pen.
 */
export const signingMethods = ['simple', 'deed', 'wet_ink'] as const;
export type SigningMethod = (typeof signingMethods)[number];

/** When a signed document commits its signers. */
export const bindingMoments = ['signature', 'exchange', 'completion'] as const;
export type BindingMoment = (typeof bindingMoments)[number];

export const taskKinds = ['pay_search', 'pay', 'read_document', 'sign_document', 'contact_us'] as const;
export type TaskKind = (typeof taskKinds)[number];
/** A task to pay a bill comes from the bill, not from a task of the feed. */
export const shownTaskKinds = [...taskKinds, 'pay_bill'] as const;
export const taskStatuses = ['open', 'done'] as const;

/** `message` is an update: what the firm tells its clients about their case. Screens and staff call it an update. */
export const historyCategories = ['milestone', 'search', 'document', 'payment', 'message', 'case'] as const;
export type HistoryCategory = (typeof historyCategories)[number];

export const paymentKinds = ['search', 'other'] as const;
export const paymentStatuses = [
  'requires_payment_method',
  'requires_action',
  'processing',
  'succeeded',
  'partially_refunded',
  'refunded',
  'cancelled',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** Statuses of a payment that is neither paid nor cancelled. */
export const openPaymentStatuses: readonly PaymentStatus[] = [
  'requires_payment_method',
  'requires_action',
  'processing',
];

/** Statuses that only the firm can still change, by a refund. */
export const settledPaymentStatuses = ['succeeded', 'partially_refunded', 'refunded', 'cancelled'] as const;

/**
 * Statuses of a dispute: `inquiry` means that the payer's bank asks before it disputes anything and has taken no money, `won`
 * that the firm keeps the money, `lost` that the bank takes it back.
 */
export const disputeStatuses = ['inquiry', 'open', 'won', 'lost'] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/**
 * Statuses of a refund at the provider. `requires_action`: the payer has to act before it is made. `failed` and
 * `cancelled`: the firm has the money again.
 */
export const refundStatuses = ['pending', 'requires_action', 'succeeded', 'failed', 'cancelled'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

/** `RefundStatus` is the provider's; before it has the refund, a request waits for approval, is approved, or is rejected. */
export type StoredRefundStatus = RefundStatus | 'awaiting_approval' | 'approved' | 'rejected';

export const paymentProviders = ['sandbox', 'stripe'] as const;
export type PaymentProvider = (typeof paymentProviders)[number];

/** The purposes of payments that are not for a search. */
export const otherPaymentCategories = [
  'money_on_account',
  'identity_check',
  'search_pack',
  'legal_fees',
  'leasehold_pack',
  'indemnity_insurance',
  'other',
] as const;
export type OtherPaymentCategory = (typeof otherPaymentCategories)[number];

/** The purposes of payments. The firm chooses for each purpose whether it accepts cards. */
export const paymentPurposes = ['search', ...otherPaymentCategories] as const;
export type PaymentPurpose = (typeof paymentPurposes)[number];

/** A cancelled bill can no longer be paid. */
export const billStatuses = ['issued', 'cancelled'] as const;
export type BillStatus = (typeof billStatuses)[number];

/** The parts of the dashboard that can be put into maintenance separately. */
export const maintenanceAreas = ['general', 'case-history'] as const;
export type MaintenanceArea = (typeof maintenanceAreas)[number];

/** The media types that the viewer can show, and that the case feed therefore accepts. */
export const documentMediaTypes = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'] as const;

/** Whether clients are asked before their use of the dashboard is recorded. */
export const recordingConsents = ['asked', 'assumed'] as const;

/** The transports for real-time events that laravel-echo supports. */
export const broadcasters = ['reverb', 'pusher', 'socket.io', 'null', 'custom'] as const;
export type Broadcaster = (typeof broadcasters)[number];

/** Pence: payment providers accept no card payment in pounds below this. */
export const minCardPayment = 30;

/** Pence: Stripe accepts no payment by bank below this. */
export const minBankPayment = 50;

/** How a client pays: with a card, or from their bank account through their own bank (open banking). */
export const paymentMethods = ['card', 'bank'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** Wallets that a client can pay with; the payment is a card payment all the same. */
export const cardWallets = ['apple_pay', 'google_pay'] as const;
export type CardWallet = (typeof cardWallets)[number];

/** What a client who opens a payment link can do: pay, wait for a payment that was started, or nothing. */
export const paymentLinkStates = ['payable', 'being_paid', 'paid', 'withdrawn', 'under_review'] as const;
export type PaymentLinkState = (typeof paymentLinkStates)[number];

/** What a firm is in law. */
export const legalForms = ['company', 'llp', 'partnership', 'sole_practitioner'] as const;
/** The parts of the United Kingdom that have a register of companies. */
export const companyRegisters = ['england_and_wales', 'wales', 'scotland', 'northern_ireland'] as const;
/** The regulators of conveyancing firms: the Solicitors Regulation Authority, and the Council for Licensed Conveyancers. */
export const regulators = ['sra', 'clc'] as const;
/** What a firm shows clients only if it has it: names of fields of `Firm` and `Regulation`. */
export const optionalForFirms = ['vat_number', 'terms', 'badge_url'] as const;
