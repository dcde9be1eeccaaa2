import { isDeepStrictEqual } from 'node:util';
import { FeedFirm, type Firm, type Static } from '@keyturn/contract';
import { readInstallation, writeInstallation } from '../../firm/installation.ts';
import type { Connection, Transaction } from '../../platform/database.ts';
import { storedPhone } from '../../platform/phone-numbers.ts';
import { allReasons, findProblem } from '../records/find-problem.ts';
import { FeedError } from './read-feed.ts';

/** The content of a feed: an installation has either real cases or the demonstration firm, never both. */
export interface InstallationClaim {
  as: 'real' | 'demonstration';
  /** Undefined: the firm stays unchanged. */
  firm: Firm | undefined;
}

/**
 * Reads a feed's firm, with defaults for what it leaves out.
 * @throws FeedError when it is invalid
 */
export function readFirm(sent: unknown): Firm | undefined {
  if (sent === undefined) return undefined;
  const problem = findProblem(FeedFirm, sent, '/firm');
  if (problem) throw new FeedError(`${problem.place} ${allReasons(problem, '')}.`);
  const firm = sent as Static<typeof FeedFirm>;
  return withStoredPhone({ vat_number: null, order_cutoff: '15:00', closed_on: [], ...firm });
}

const withStoredPhone = (firm: Firm): Firm => ({ ...firm, phone: storedPhone(firm.phone) });

/**
 * Checks that the installation accepts this kind of cases.
 * @throws FeedError if it has the other kind, or no firm is known yet
 */
export async function checkClaim(connection: Connection, claim: InstallationClaim) {
  const installation = await readInstallation(connection);
  if (installation.contents !== 'nothing' && installation.contents !== claim.as) {
    throw new FeedError(
      installation.contents === 'demonstration'
        ? 'This installation holds the demonstration firm. Import real cases into a new installation, with another KEYTURN_DATA_DIR and KEYTURN_DEMONSTRATION=off.'
        : 'This installation holds real cases, so the demonstration firm cannot be loaded.',
    );
  }
  if (claim.firm === undefined && installation.firm === null)
    throw new FeedError('The first feed must contain the "firm".');
  return installation;
}

/**
 * Records the installation's kind of cases. Called with the first imported record, so that a rejected feed claims
 * nothing. A firm that the feed has sent before does not overwrite later edits at the desk.
 * @param now when the firm was changed, if the feed changes it
 */
export async function claimInstallation(
  transaction: Transaction,
  claim: InstallationClaim,
  now: Date,
): Promise<void> {
  const { as, firm } = claim;
  const { contents, feedFirm } = await checkClaim(transaction, claim);
  // An earlier release stored the number as it was sent.
  const isSame =
    firm === undefined || (feedFirm !== null && isDeepStrictEqual(firm, withStoredPhone(feedFirm)));
  if (contents === as && isSame) return;
  await writeInstallation(transaction, {
    contents: as,
    ...(isSame ? {} : { firm, feedFirm: firm, firmChangedAt: now, firmChangedBy: null }),
  });
}
