import { type Static, type TSchema, Type } from 'typebox';
import { stepsBefore, unaskedLimits } from '../entities/payment-rules.ts';
import { AddedField, Day, Id, Instant, Line, Nullable, OneOf, PhoneNumber } from '../entities/values.ts';
import {
  documentGroups,
  matterFeatures,
  milestoneActors,
  orderingRules,
  searchRequirements,
} from '../vocabulary.ts';

/* What the firm edits at the desk. */

const strict = { additionalProperties: false } as const;

/** A value with the version that a change has to name, so that no one overwrites a colleague’s change. */
export const Versioned = <Value extends TSchema>(value: Value) =>
  Type.Object({
    version: Type.Integer(),
    value,
    changed_at: Instant,
    /** Null for the value that Keyturn ships or that the case feed sent. */
    changed_by: Nullable(Type.String()),
  });
export interface Versioned<Value> {
  version: number;
  value: Value;
  changed_at: string;
  changed_by: string | null;
}

/** What clients read about the firm. */
export const FirmDetails = Type.Object(
  {
    name: Line(200),
    sra_number: Line(20),
    phone: PhoneNumber,
    address: Type.Array(Line(200), { minItems: 1, maxItems: 8 }),
    opening_hours: Line(300),
    vat_number: Nullable(
      Type.String({ pattern: '^GB ?[0-9]{3} ?[0-9]{4} ?[0-9]{2}( ?[0-9]{3})?$', maxLength: 18 }),
    ),
    /** The time in London, `HH:MM`, from which the firm orders what was paid on the next working day. */
    order_cutoff: Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
    /** Days on which the firm is closed, besides weekends and bank holidays. */
    closed_on: Type.Array(Day, { maxItems: 1000, uniqueItems: true }),
  },
  strict,
);
export type FirmDetails = Static<typeof FirmDetails>;

/** What the firm’s clients can pay, and when the firm acts on it. */
export const PaymentRules = Type.Object(
  {
    order_searches: OneOf(orderingRules),
    /** Whether the firm has decided what its clients can pay: each change at the desk decides it. */
    is_decided: Type.Boolean(),
    unasked: unaskedLimits(strict),
    not_before: stepsBefore(strict),
  },
  strict,
);
export type PaymentRules = Static<typeof PaymentRules>;

/** A stored logo. */
export const FirmLogo = Type.Object({
  /** SHA-256 of the file. */
  id: Id,
  media_type: OneOf(['image/png', 'image/webp']),
  width: Type.Integer(),
  height: Type.Integer(),
  /** The path that shows it. */
  url: Type.String(),
});
export type FirmLogo = Static<typeof FirmLogo>;

/** How the dashboard looks. */
export const FirmBrand = Type.Object({
  /** `#rrggbb`; null: Keyturn’s own green. */
  colour: Nullable(Type.String()),
  logo: Nullable(FirmLogo),
  /** Whether the logo shows the firm’s name, which is then not written next to it. */
  logo_has_name: Type.Boolean(),
});
export type FirmBrand = Static<typeof FirmBrand>;

export const BankHoliday = Type.Object({ day: Day, name: Line(100) }, strict);
export type BankHoliday = Static<typeof BankHoliday>;
/** In the order of their days. */
export const BankHolidays = Type.Array(BankHoliday, { maxItems: 500 });

const WorkingDays = Type.Object(
  { from: Type.Integer({ minimum: 0, maximum: 1000 }), to: Type.Integer({ minimum: 0, maximum: 1000 }) },
  strict,
);

/** A search that staff can add to a case. The case keeps what it was added with. */
export const CatalogueSearch = Type.Object(
  {
    code: Type.String({ maxLength: 50, pattern: '^[A-Z0-9][A-Z0-9_-]*$' }),
    name: Line(200),
    /** Null if it depends on the property, so that staff enter it when they add the search. */
    supplier: Nullable(Line(200)),
    explanation: Line(1000),
    /** Pence, without VAT. */
    net: Type.Integer({ minimum: 0, maximum: 10_000_000 }),
    /** Percent. */
    vat_rate: Type.Number({ minimum: 0, maximum: 100 }),
    refund_rule: Line(1000),
    required_by: OneOf(searchRequirements),
    /** The days until the result arrives; null if unknown. */
    usual_working_days: Nullable(WorkingDays),
  },
  strict,
);
export type CatalogueSearch = Static<typeof CatalogueSearch>;
export const SearchCatalogue = Type.Array(CatalogueSearch, { maxItems: 100 });

/** The firm’s texts for whom a step waits, which all steps use. A quiet step uses no other. */
export const WaitingTexts = Type.Array(Line(200), { minItems: 1, maxItems: 50 });
export type WaitingTexts = Static<typeof WaitingTexts>;

/** What clients read about a folder of documents. */
export const DocumentGroupWords = Type.Object(
  {
    group: OneOf(documentGroups),
    name: Line(60),
    /** What it says while it is empty, for each type of matter. */
    empty: Type.Object(
      { purchase: Line(400), sale: Line(400), remortgage: Line(400), 'transfer-of-equity': Line(400) },
      strict,
    ),
  },
  strict,
);
export type DocumentGroupWords = Static<typeof DocumentGroupWords>;
/** Each group once. */
export const DocumentGroups = Type.Array(DocumentGroupWords, {
  minItems: documentGroups.length,
  maxItems: documentGroups.length,
});

/** A stage of a path, which clients see in the stage tracker. */
export const PathStage = Type.Object(
  {
    title: Line(60),
    /** Shown as a key moment, like exchange and completion. */
    key_moment: Type.Boolean(),
  },
  strict,
);
export type PathStage = Static<typeof PathStage>;

/** A step of a path. */
export const PathStep = Type.Object(
  {
    key: Type.String({ maxLength: 100, pattern: '^[a-z][a-z0-9_]*$' }),
    title: Line(200),
    explanation: Line(1000),
    actor: OneOf(milestoneActors),
    usual_working_days: Nullable(WorkingDays),
    /** The position of its stage, from 0. */
    stage: Type.Integer({ minimum: 0, maximum: 29 }),
    /** Weeks after the instruction at which it usually is; for exchange and completion. */
    usual_weeks: Nullable(WorkingDays),
    /** Only matters with one of these have the step; all matters if there are none. */
    features: AddedField(Type.Array(OneOf(matterFeatures), { uniqueItems: true })),
  },
  strict,
);
export type PathStep = Static<typeof PathStep>;

/** The steps of a type of matter in order, and the stages that they belong to. */
export const MilestonePath = Type.Object(
  {
    stages: Type.Array(PathStage, { minItems: 1, maxItems: 30 }),
    steps: Type.Array(PathStep, { minItems: 1, maxItems: 60 }),
    /** The day of the figures in the usual times of its steps, which clients read with its month. */
    figures_of: AddedField(Nullable(Day)),
  },
  strict,
);
export type MilestonePath = Static<typeof MilestonePath>;
