import type { Spreadsheet } from '@keyturn/contract/staff';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import type { ReactNode } from 'react';
import { ApiError, errorText } from '../../api/client/staff-error.ts';
import { LinkButton } from '../../ui/base/button.tsx';
import { EmptyState, PageHead } from '../../ui/base/page.tsx';
import { useSpreadsheet } from './use-spreadsheet.ts';

/** Loads the spreadsheet for a step of an import. */
export function WithSpreadsheet({
  id,
  title,
  children,
}: {
  id: string;
  title: string;
  children: (spreadsheet: Spreadsheet) => ReactNode;
}) {
  const spreadsheet = useSpreadsheet(id);
  const { data, error } = spreadsheet;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <>
        <PageHead title={title} />
        <EmptyState
          title="This file was deleted. "
          action={<LinkButton to="/settings/import">Choose a file</LinkButton>}
        >
          Files are deleted an hour after they were uploaded, and results after a day. What was imported
          stays.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHead title={title}>{data?.file_name}</PageHead>
      {error && (
        <LoadFailure
          what="The file"
          message={errorText(error)}
          onRetry={() => void spreadsheet.refetch()}
          isTrying={spreadsheet.isFetching}
        />
      )}
      {data ? children(data) : !error && <Skeleton width="60%" />}
    </>
  );
}
