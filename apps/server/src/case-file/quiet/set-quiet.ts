import type { QuietEdit } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { type EditDependencies, type EditRequest, editCase } from '../editing/edit-case.ts';

/**
 * Makes a case or one of its steps quiet, or ends that. Clients see what they see of any other step without a promise, and no
 * client, export, feed or webhook differs. No reason is asked or stored, and the audit log does not say which step.
 * @throws DomainError `not_found`, `unauthenticated`, `unavailable`
 */
export const setQuiet = (
  dependencies: EditDependencies,
  request: EditRequest,
  id: string,
  { milestone_id, is_quiet }: QuietEdit,
): Promise<undefined> =>
  editCase(
    dependencies,
    request,
    { kind: 'case', id },
    async ({ transaction }, { caseId, caseReference }) => {
      if (milestone_id !== null) {
        if (!isId(milestone_id)) throw new DomainError('not_found');
        const { rows } = await transaction.execute(sql`
        select from milestones step join matters matter on matter.id = step.matter_id
        where step.id = ${milestone_id} and matter.case_id = ${caseId}`);
        if (rows.length === 0) throw new DomainError('not_found');
      }
      const { rowCount } = is_quiet
        ? await transaction.execute(sql`
          insert into quiet_steps (case_id, milestone_id) values (${caseId}, ${milestone_id}) on conflict do nothing`)
        : await transaction.execute(sql`
          delete from quiet_steps where case_id = ${caseId} and milestone_id is not distinct from ${milestone_id}`);
      if (rowCount === 0) return undefined;
      await recordAudit(transaction, {
        occurredAt: dependencies.clock(),
        actor: request.actor,
        action: is_quiet ? 'case.quiet_on' : 'case.quiet_off',
        subject: { kind: 'case', id: caseReference },
        address: request.address,
      });
      return undefined;
    },
  );
