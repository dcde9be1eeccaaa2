import HomePage from '@keyturn/dashboard/app/home/home-page.tsx';
import DocumentGroupPage from '@keyturn/dashboard/features/documents/group-screen/document-group-page.tsx';
import CaseHistoryPage from '@keyturn/dashboard/features/history/case-history-page.tsx';
import MilestonesPage from '@keyturn/dashboard/features/milestones/milestones-page.tsx';
import PaymentsPage from '@keyturn/dashboard/features/payments/payments-screen/payments-page.tsx';
import { matchPath } from '@keyturn/dashboard/navigation/paths.ts';
import type { RouteName } from '@keyturn/dashboard/navigation/route-table.ts';
import type { FunctionComponent } from 'react';

/** The screens of clients that only read. */
const screens: Partial<Record<RouteName, FunctionComponent>> = {
  index: HomePage,
  milestones: MilestonesPage,
  documents: DocumentGroupPage,
  'documents-matter_type-group': DocumentGroupPage,
  'case-history': CaseHistoryPage,
  payments: PaymentsPage,
};

/** Returns the client’s screen of a path; undefined if the preview does not show it. */
export function previewScreen(pathname: string): FunctionComponent | undefined {
  const match = matchPath(pathname);
  return match ? screens[match.name] : undefined;
}

/** Says why the preview does not open a path of the dashboard. */
export function unavailableReason(pathname: string): string {
  if (/^\/payment/.test(pathname)) return 'This is a preview. Only the client can pay.';
  if (/^\/documents\//.test(pathname))
    return 'This is a preview. Opening the document here would not be the client reading it. Open it in Documents of the case.';
  return 'This is a preview. This link works only for the client.';
}
