import { notFound, redirect } from '@tanstack/react-router';
import type { Services } from '../../api/services/services.ts';

/*
 * Paths without a screen of their own, in old links and mails: each leads to the screen that it names.
 */
type Leads = (rest: string, services: Services) => Promise<string> | string;

/** By the first word below `/main`; `rest` is what follows it. */
const legacyPaths: Record<string, Leads> = {
  '': () => '/',
  overview: () => '/',
  'case-history': () => '/case-history',
  'purchase-docs': (group) => `/documents/purchase/${encodeURIComponent(group || 'contract')}`,
  'sale-docs': (group) => `/documents/sale/${encodeURIComponent(group || 'contract')}`,
  'task-sign': documentOfTask,
};

/**
 * @param below what stands below `/main/`
 * @throws the router's redirect to where the path leads, or its `notFound`
 */
export async function redirectLegacyPath(below: string, services: Services): Promise<never> {
  const [, word = '', rest = ''] = /^([^/]*)(?:\/(.*?))?\/?$/.exec(below) ?? [];
  const leads = Object.hasOwn(legacyPaths, word) ? legacyPaths[word] : undefined;
  // Only the start and its overview have nothing below them.
  if (!leads || (rest !== '' && (word === '' || word === 'overview'))) throw notFound();
  throw redirect({ href: await leads(rest, services), replace: true });
}

/** The document that a task of the client asks to sign. */
async function documentOfTask(taskId: string, { call }: Services): Promise<string> {
  const { conveyancing_case } = await call('GET /client', {});
  const task = conveyancing_case?.tasks.find(({ id }) => id === taskId);
  if (!task?.document_id) throw notFound();
  return `/documents/${task.document_id}`;
}
