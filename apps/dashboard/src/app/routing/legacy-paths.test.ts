import { describe, expect, test } from 'vitest';
import { caseFixture, clientFixture, taskFixture } from '../../../fixtures/entities.ts';
import type { Services } from '../../api/services/services.ts';
import { NotFound, Redirect } from '../../navigation/outcomes.ts';
import { redirectLegacyPath } from './legacy-paths.ts';

const tasks = [taskFixture({ id: 'to-sign', kind: 'sign_document', document_id: 'contract' }), taskFixture()];
const services = {
  call: async () => clientFixture({ conveyancing_case: caseFixture({ tasks }) }),
} as unknown as Services;

const targetOf = (below: string) =>
  redirectLegacyPath(below, services).catch((thrown: unknown) => {
    if (thrown instanceof NotFound) return 'not found';
    if (thrown instanceof Redirect) return thrown.href;
    throw thrown;
  });

describe('legacy paths', () => {
  test.each([
    ['', '/'],
    ['overview', '/'],
    ['overview/', '/'],
    ['case-history', '/case-history'],
    ['case-history/2026/11', '/case-history'],
    ['purchase-docs', '/documents/purchase/contract'],
    ['purchase-docs/searches', '/documents/purchase/searches'],
    ['sale-docs/', '/documents/sale/contract'],
    ['sale-docs/to-sign/', '/documents/sale/to-sign'],
    ['sale-docs/a/b', '/documents/sale/a%2Fb'],
    ['task-sign/to-sign', '/documents/contract'],
    ['task-sign/task', 'not found'],
    ['task-sign/unknown', 'not found'],
    ['task-sign', 'not found'],
    ['overview/x', 'not found'],
    ['toString', 'not found'],
    ['elsewhere', 'not found'],
  ])('redirects /main/%s to %s', async (below, target) => {
    expect(await targetOf(below)).toBe(target);
  });
});
