import { type Static, Type } from 'typebox';
import { Line, Nullable, OneOf } from '../../entities/values.ts';
import { vatCodeNames } from '../../entities/vat-codes.ts';
import {
  exportDateFormats,
  exportFields,
  exportRows,
  maxExportColumns,
  movementKinds,
} from './export-vocabulary.ts';

const strict = { additionalProperties: false } as const;

/** A code of the firm’s own books; null leaves the cell empty. */
const Code = Nullable(Line(40));
const codesFor = <Name extends string>(names: readonly Name[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Code])) as Record<Name, typeof Code>, strict);

/** A format in which finance exports the ledger. */
export const ExportProfile = Type.Object(
  {
    name: Line(60),
    rows: OneOf(exportRows),
    date_format: OneOf(exportDateFormats),
    columns: Type.Array(
      Type.Object(
        {
          heading: Line(60),
          field: OneOf(exportFields),
          /** For `fixed_text`; otherwise null. */
          text: Nullable(Line(200)),
        },
        strict,
      ),
      { minItems: 1, maxItems: maxExportColumns },
    ),
    codes: Type.Object(
      {
        posting_types: codesFor(movementKinds),
        /** By the firm’s account at the provider. */
        bank: codesFor(['client', 'business']),
        /** By whose money it is. */
        nominal: codesFor(['client', 'office']),
        vat: codesFor(vatCodeNames),
      },
      strict,
    ),
  },
  strict,
);
export type ExportProfile = Static<typeof ExportProfile>;

/** The first is used if none is named. */
export const ExportProfiles = Type.Array(ExportProfile, { minItems: 1, maxItems: 20 });
