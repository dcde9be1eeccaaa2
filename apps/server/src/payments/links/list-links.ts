import type { StaffPaymentLink } from '@keyturn/contract/staff';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { findCaseStatus, findLinksOfCase } from './links-store.ts';
import { currentState } from './read-link.ts';

const maxLinks = 50;

/** Lists the newest payment links of a case, with what each leads to now. @throws DomainError `not_found` */
export async function listLinks(database: Connection, caseId: string): Promise<StaffPaymentLink[]> {
  if (!isId(caseId) || (await findCaseStatus(database, caseId)) === undefined)
    throw new DomainError('not_found');
  const links: StaffPaymentLink[] = [];
  // Sequential, because each link needs only a few reads, and a case has few links.
  for (const { link, client } of await findLinksOfCase(database, caseId, maxLinks)) {
    const { state } = await currentState(database, link);
    links.push({
      id: link.id,
      client: { id: client.id, name: `${client.firstName} ${client.lastName}` },
      description: link.description,
      sent_amount: link.amount,
      requested_at: link.createdAt.toISOString(),
      sent_at: link.sentAt?.toISOString() ?? null,
      opened_at: link.openedAt?.toISOString() ?? null,
      withdrawn_at: link.withdrawnAt?.toISOString() ?? null,
      state,
    });
  }
  return links;
}
