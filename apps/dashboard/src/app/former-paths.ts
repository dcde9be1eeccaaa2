import { notFound, redirect } from '@tanstack/react-router';
import type { Services } from '../api/services.ts';

/*
 * Paths without a screen of their own, in old links and mails: each leads to the screen that it names. The star is the
 * rest of the path.
 */
type Leads = (rest: string, services: Services) => Promise<string> | string;

export const formerPaths: Record<string, Leads> = {
  '/main': () => '/',
  '/main/overview': () => '/',
  '/main/case-history': () => '/case-history',
  '/main/case-history/$': () => '/case-history',
  '/main/purchase-docs': () => '/documents/purchase/contract',
  '/main/purchase-docs/$': (group) => `/documents/purchase/${encodeURIComponent(group || 'contract')}`,
  '/main/sale-docs': () => '/documents/sale/contract',
  '/main/sale-docs/$': (group) => `/documents/sale/${encodeURIComponent(group || 'contract')}`,
  '/main/task-sign/$': documentOfTask,
};

/** @throws the router's redirect to where a former path leads, or its `notFound` */
export async function followFormerPath(leads: Leads, rest: string, services: Services): Promise<never> {
  throw redirect({ href: await leads(rest.replace(/\/+$/, ''), services), replace: true });
}

/** The document that a task of the client asks to sign. */
async function documentOfTask(taskId: string, { call }: Services): Promise<string> {
  const { conveyancing_case } = await call('GET /client', {});
  const task = conveyancing_case?.tasks.find(({ id }) => id === taskId);
  if (!task?.document_id) throw notFound();
  return `/documents/${task.document_id}`;
}
