import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { errorText } from '../../../api/client/staff-error.ts';
import { callStaff, useMember } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { NewSearchDialog, type NewSearchDialogProps } from './new-search-dialog.tsx';

/** Reads the searches that staff can add. */
export const useCatalogue = () =>
  useQuery({
    // Shared with the page that changes it.
    queryKey: ['GET /staff/search-catalogue', null],
    queryFn: ({ signal }) => callStaff('GET /staff/search-catalogue', { signal }),
  });

/** Adds a search from the firm’s catalogue to a matter. */
export function AddSearchDialog(
  props: Pick<NewSearchDialogProps, 'matter' | 'searches' | 'changes' | 'onClose' | 'children'>,
) {
  const { data, error, isFetching, refetch } = useCatalogue();
  const { role } = useMember();
  const title = 'Add a search';
  if (data && data.value.length > 0)
    return <NewSearchDialog {...props} title={title} action="Add the search" catalogue={data.value} />;
  return (
    <Dialog
      open
      title={title}
      onClose={props.onClose}
      actions={<Button onClick={props.onClose}>Close</Button>}
    >
      {data ? (
        <p>
          The firm’s search catalogue is empty.{' '}
          {role === 'admin' ? (
            <Link to="/settings/search-catalogue">Add searches to the catalogue</Link>
          ) : (
            'An admin can add searches to it, in Settings.'
          )}
        </p>
      ) : error ? (
        <LoadFailure
          what="The search catalogue"
          message={errorText(error)}
          isTrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <p role="status">Loading the search catalogue</p>
      )}
    </Dialog>
  );
}
