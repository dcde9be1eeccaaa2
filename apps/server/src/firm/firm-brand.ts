import { hash } from 'node:crypto';
import type { FirmBrand, FirmLogo, Versioned } from '@keyturn/contract/staff';
import { contrastOf, minContrast, nearestReadableColour } from '@keyturn/format/brand-colour';
import { eq, sql } from 'drizzle-orm';
import type { Connection } from '../platform/database.ts';
import { invalidInput } from '../platform/domain-error.ts';
import { type FirmDataVersion, readFirmData, type StoredBrand } from '../platform/firm-data/firm-data.ts';
import { firmLogos } from '../schema/tables/firm-data-tables.ts';
import { type ChangedBy, changeFirmData, type FirmDataDependencies } from './change-firm-data.ts';
import { readLogo } from './read-logo.ts';

/** Reads the firm’s colour and logo. */
export const readBrand = async (connection: Connection): Promise<Versioned<FirmBrand>> =>
  toBrand(connection, await readFirmData(connection, 'brand'));

/**
 * Changes the firm’s colour and logo.
 * @throws DomainError `invalid_input` for a colour that cannot be read, with the nearest that can, and for an unknown
 * logo; `changed_meanwhile`
 */
export async function changeBrand(
  dependencies: FirmDataDependencies,
  change: { version: number; value: StoredBrand },
  by: ChangedBy,
): Promise<Versioned<FirmBrand>> {
  const { colour, logo } = change.value;
  if (colour !== null) checkColour(colour);
  if (logo !== null && !(await findLogo(dependencies.database, logo)))
    throw invalidInput('value.logo', 'This logo is not stored. Upload it again.');
  return toBrand(dependencies.database, await changeFirmData(dependencies, 'brand', change, by));
}

function checkColour(colour: string): void {
  const { ratio, theme, isEnough } = contrastOf(colour);
  if (isEnough) return;
  throw invalidInput(
    'value.colour',
    `In the ${theme} theme, some text would have a contrast of ${ratio.toFixed(2)} to 1, and needs ${minContrast} to 1. The nearest colour that has it is ${nearestReadableColour(colour)}.`,
  );
}

/**
 * Stores a logo, so that a change of the brand can name it. Logos that no version of the brand has had are deleted after
 * a day.
 * @throws DomainError `invalid_input` for anything but a small picture
 */
export async function storeLogo(
  { database, clock }: FirmDataDependencies,
  content: string,
): Promise<FirmLogo> {
  const logo = readLogo(Buffer.from(content, 'base64'));
  const row = { ...logo, id: hash('sha256', logo.content, 'hex'), createdAt: clock() };
  await database.execute(sql`
    delete from firm_logos where created_at < ${clock().toISOString()}::timestamptz - interval '1 day' and not exists (
      select from firm_data where kind = 'brand' and value ->> 'logo' = firm_logos.id)`);
  await database.insert(firmLogos).values(row).onConflictDoNothing();
  return toLogo(row);
}

async function toBrand(
  connection: Connection,
  { version, value, changedAt, changedBy }: FirmDataVersion<StoredBrand>,
): Promise<Versioned<FirmBrand>> {
  const logo = value.logo === null ? undefined : await findLogo(connection, value.logo);
  return {
    version,
    value: { ...value, logo: logo ? toLogo(logo) : null },
    changed_at: changedAt.toISOString(),
    changed_by: changedBy,
  };
}

type LogoRow = Omit<typeof firmLogos.$inferSelect, 'content' | 'createdAt'>;

async function findLogo(connection: Connection, id: string): Promise<LogoRow | undefined> {
  const { id: key, mediaType, width, height } = firmLogos;
  const [row] = await connection
    .select({ id: key, mediaType, width, height })
    .from(firmLogos)
    .where(eq(firmLogos.id, id));
  return row;
}

const toLogo = ({ id, mediaType, width, height }: LogoRow): FirmLogo => ({
  id,
  media_type: mediaType,
  width,
  height,
  url: logoUrl({ id, mediaType }),
});

/** The path at which the server sends a logo. */
export const logoUrl = ({ id, mediaType }: Pick<LogoRow, 'id' | 'mediaType'>) =>
  `/firm/logo-${id}.${mediaType === 'image/png' ? 'png' : 'webp'}`;
