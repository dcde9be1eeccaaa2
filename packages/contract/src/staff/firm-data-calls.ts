import { Type } from 'typebox';
import { body } from '../calls/call-definition.ts';
import { Regulation } from '../entities/regulation.ts';
import { AddedField, Nullable, OneOf } from '../entities/values.ts';
import { matterTypes } from '../vocabulary.ts';
import {
  BankHolidays,
  DocumentGroups,
  FirmBrand,
  FirmDetails,
  FirmLogo,
  MilestonePath,
  PaymentRules,
  SearchCatalogue,
  Versioned,
  WaitingTexts,
} from './firm-data-entities.ts';
import { ExportProfiles } from './ledger/export-profiles.ts';
import { deskDefaults, type StaffCallDefinition } from './staff-call-definition.ts';
import { staffRoles } from './staff-entities.ts';

const reading = ['unauthenticated', 'factor_required'] as const;
const changing = [
  'unauthenticated',
  'not_from_desk',
  'factor_required',
  'role_not_permitted',
  'invalid_input',
  'changed_meanwhile',
] as const;
const admins = ['admin'] as const;
const finance = ['finance', 'admin'] as const;
const MatterTypeParam = Type.Object({ matter_type: OneOf(matterTypes) });

/** The version on which the change is based. */
const version = Type.Integer({ minimum: 0, maximum: 2_147_483_646 });

/** The calls about what the firm edits at the desk. */
export const firmDataCalls = {
  'GET /staff/firm': {
    summary: 'Get the firm’s details',
    ...deskDefaults,
    access: staffRoles,
    data: Versioned(Nullable(FirmDetails)),
    errors: [...reading],
  },
  'PUT /staff/firm': {
    summary: 'Change the firm’s details',
    ...deskDefaults,
    access: admins,
    // Clients call the number that they read here.
    confirmed: true,
    body: body({ version, value: FirmDetails }),
    data: Versioned(Nullable(FirmDetails)),
    errors: [...changing, 'identity_not_confirmed'],
  },
  'GET /staff/regulation': {
    summary: 'Get what a regulated firm must show',
    ...deskDefaults,
    access: staffRoles,
    data: Versioned(Regulation),
    errors: [...reading],
  },
  'PUT /staff/regulation': {
    summary: 'Change what a regulated firm must show',
    ...deskDefaults,
    access: admins,
    // Clients send complaints to the addresses that they read here.
    confirmed: true,
    body: body({ version, value: Regulation }),
    data: Versioned(Regulation),
    errors: [...changing, 'identity_not_confirmed'],
  },
  'GET /staff/missing-firm-data': {
    summary: 'List what the firm must enter before it invites its first client',
    ...deskDefaults,
    access: staffRoles,
    data: Type.Object({
      /** The names of the fields at the desk; empty if the firm has entered everything. */
      missing: Type.Array(Type.String()),
      /** False if something is missing and the firm has never invited a client. */
      allows_invitations: Type.Boolean(),
      /** Whether the firm has yet to decide what its clients can pay. Clients can be invited before. */
      lacks_payment_rules: AddedField(Type.Boolean()),
    }),
    errors: [...reading],
  },
  'GET /staff/payment-rules': {
    summary: 'Get what clients can pay, and when the firm acts on it',
    ...deskDefaults,
    access: staffRoles,
    data: Versioned(PaymentRules),
    errors: [...reading],
  },
  'PUT /staff/payment-rules': {
    summary: 'Change what clients can pay, and when the firm acts on it',
    ...deskDefaults,
    access: admins,
    body: body({ version, value: PaymentRules }),
    data: Versioned(PaymentRules),
    errors: [...changing],
  },
  'GET /staff/ledger-exports': {
    summary: 'Get the formats in which finance exports the ledger',
    ...deskDefaults,
    access: staffRoles,
    data: Versioned(ExportProfiles),
    errors: [...reading],
  },
  'PUT /staff/ledger-exports': {
    summary: 'Change the formats in which finance exports the ledger',
    ...deskDefaults,
    access: finance,
    body: body({ version, value: ExportProfiles }),
    data: Versioned(ExportProfiles),
    errors: [...changing],
  },
  'GET /staff/brand': {
    summary: 'Get the firm’s colour and logo',
    ...deskDefaults,
    access: staffRoles,
    data: Versioned(FirmBrand),
    errors: [...reading],
  },
  'POST /staff/logos': {
    summary: 'Store a logo without showing it to clients',
    ...deskDefaults,
    access: admins,
    body: body({
      /** PNG or WebP as Base64. */
      content: Type.String({ minLength: 4, maxLength: 90_000, pattern: '^[A-Za-z0-9+/]+={0,2}$' }),
    }),
    data: FirmLogo,
    errors: ['unauthenticated', 'not_from_desk', 'factor_required', 'role_not_permitted', 'invalid_input'],
  },
  'PUT /staff/brand': {
    summary: 'Change the firm’s colour and logo',
    ...deskDefaults,
    access: admins,
    body: body({
      version,
      value: Type.Object(
        {
          colour: Nullable(Type.String({ pattern: '^#[0-9a-f]{6}$' })),
          /** The id of a stored logo. */
          logo: Nullable(Type.String({ pattern: '^[0-9a-f]{64}$' })),
          logo_has_name: Type.Boolean(),
        },
        { additionalProperties: false },
      ),
    }),
    data: Versioned(FirmBrand),
    errors: [...changing],
  },
  'GET /staff/bank-holidays': {
    summary: 'Get the bank holidays',
    ...deskDefaults,
    access: staffRoles,
    data: Versioned(BankHolidays),
    errors: [...reading],
  },
  'PUT /staff/bank-holidays': {
    summary: 'Change the bank holidays',
    ...deskDefaults,
    access: admins,
    body: body({ version, value: BankHolidays }),
    data: Versioned(BankHolidays),
    errors: [...changing],
  },
  'GET /staff/search-catalogue': {
    summary: 'Get the searches that staff can add to a case',
    ...deskDefaults,
    access: staffRoles,
    data: Versioned(SearchCatalogue),
    errors: [...reading],
  },
  'PUT /staff/search-catalogue': {
    summary: 'Change the catalogue of searches; searches that are already on a case do not change',
    ...deskDefaults,
    access: admins,
    body: body({ version, value: SearchCatalogue }),
    data: Versioned(SearchCatalogue),
    errors: [...changing],
  },
  'GET /staff/document-groups': {
    summary: 'Get the names of the document folders, and their texts while they are empty',
    ...deskDefaults,
    access: staffRoles,
    data: Versioned(DocumentGroups),
    errors: [...reading],
  },
  'PUT /staff/document-groups': {
    summary: 'Change the names of the document folders, and their texts while they are empty',
    ...deskDefaults,
    access: admins,
    body: body({ version, value: DocumentGroups }),
    data: Versioned(DocumentGroups),
    errors: [...changing],
  },
  'GET /staff/waiting-texts': {
    summary: 'Get the firm’s texts for whom a step waits',
    ...deskDefaults,
    access: staffRoles,
    data: Versioned(WaitingTexts),
    errors: [...reading],
  },
  'PUT /staff/waiting-texts': {
    summary: 'Change the firm’s texts for whom a step waits; steps that use one keep it',
    ...deskDefaults,
    access: admins,
    body: body({ version, value: WaitingTexts }),
    data: Versioned(WaitingTexts),
    errors: [...changing],
  },
  'GET /staff/milestone-paths/{matter_type}': {
    summary: 'Get the milestone path of a type of matter',
    ...deskDefaults,
    access: staffRoles,
    params: MatterTypeParam,
    data: Versioned(MilestonePath),
    errors: [...reading, 'invalid_input', 'not_found'],
  },
  'PUT /staff/milestone-paths/{matter_type}': {
    summary: 'Change the milestone path of new matters of a type; running matters keep theirs',
    ...deskDefaults,
    access: admins,
    params: MatterTypeParam,
    body: body({ version, value: MilestonePath }),
    data: Versioned(MilestonePath),
    errors: [...changing, 'not_found'],
  },
} as const satisfies Record<string, StaffCallDefinition>;
