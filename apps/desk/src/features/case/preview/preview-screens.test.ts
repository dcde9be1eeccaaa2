import { routeTable } from '@keyturn/dashboard/navigation/route-table.ts';
import { expect, test } from 'vitest';
import { createPreviewPlaces } from './preview-places.ts';
import { previewScreen, unavailableReason } from './preview-screens.ts';

test('the preview shows the screens of a signed-in client that only read', () => {
  const shown = Object.entries(routeTable)
    .filter(([, { path }]) => previewScreen(examplePath(path)) !== undefined)
    .map(([name]) => name);
  expect(shown.sort()).toEqual([
    'case-history',
    'documents',
    'documents-matter_type-group',
    'index',
    'milestones',
    'payments',
  ]);
});

const examplePath = (path: string) =>
  path
    .replace('$matter_type/$group', 'purchase/contract')
    .replace('$id', '00000000-0000-4000-8000-000000000000');

test('the preview says why it does not open a screen', () => {
  expect(unavailableReason('/payment-details')).toContain('pay');
  expect(unavailableReason('/documents/00000000-0000-4000-8000-000000000000')).toContain('document');
  expect(unavailableReason('/login')).toContain('preview');
});

test('the preview moves between its own screens, and stays where it is for any other address', () => {
  const places = createPreviewPlaces((pathname) => previewScreen(pathname) !== undefined);
  const moves: string[] = [];
  places.subscribe(() => moves.push(places.current().href));
  places.open('/milestones');
  places.open('/documents/purchase/contract?from=home');
  places.open('/payment-details');
  places.open('/login');
  expect(moves).toEqual(['/milestones', '/documents/purchase/contract?from=home']);
  expect(places.current()).toMatchObject({ pathname: '/documents/purchase/contract', index: 2 });
});
