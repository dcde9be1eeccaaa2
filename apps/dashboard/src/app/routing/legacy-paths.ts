import type { Services } from '../../api/services/services.ts';
import { NotFound, Redirect } from '../../navigation/outcomes.ts';

type ResolvePath = (rest: string, services: Services) => Promise<string> | string;

/** Paths in old links and emails, by the first segment below `/main`. `rest` is what follows that segment. */
const legacyPaths: Record<string, ResolvePath> = {
  '': () => '/',
  overview: () => '/',
  'case-history': () => '/case-history',
  'purchase-docs': (group) => `/documents/purchase/${encodeURIComponent(group || 'contract')}`,
  'sale-docs': (group) => `/documents/sale/${encodeURIComponent(group || 'contract')}`,
  'task-sign': documentOfTask,
};

/**
 * Redirects an old path to the screen that replaced it.
 * @param below the part of the path below `/main/`
 * @throws Redirect, or NotFound for an unknown path
 */
export async function redirectLegacyPath(below: string, services: Services): Promise<never> {
  const [, segment = '', rest = ''] = /^([^/]*)(?:\/(.*?))?\/?$/.exec(below) ?? [];
  const resolve = Object.hasOwn(legacyPaths, segment) ? legacyPaths[segment] : undefined;
  // The home page and its overview have no paths below them.
  if (!resolve || (rest !== '' && (segment === '' || segment === 'overview')))
    throw new NotFound(`Page not found: /main/${below}`);
  throw new Redirect(await resolve(rest, services));
}

/** Returns the path of the document that a task asks the client to sign. */
async function documentOfTask(taskId: string, { call }: Services): Promise<string> {
  const { conveyancing_case } = await call('GET /client');
  const task = conveyancing_case?.tasks.find(({ id }) => id === taskId);
  if (!task?.document_id) throw new NotFound();
  return `/documents/${task.document_id}`;
}
