import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { errorText } from '../../api/client/staff-error.ts';
import { useMember } from '../../api/desk-api.ts';
import { PageHead } from '../../ui/base/page.tsx';
import { useClientData, useClientDataChanges, useErasure } from './client-data-queries.ts';
import { ErasedClient } from './erasure/erased-client.tsx';
import { ErasureSection } from './erasure/erasure-section.tsx';
import { ExportSection } from './export-section.tsx';
import { HoldsSection } from './holds/holds-section.tsx';
import { KeptSection } from './kept-section.tsx';

/** What the firm keeps about a client and until when, with legal holds, the export and the erasure. */
export default function ClientDataPage({
  params: { id = '' },
}: {
  params: Readonly<Record<string, string>>;
}) {
  const isAdmin = useMember().role === 'admin';
  const erasure = useErasure(id, { isWanted: isAdmin });
  // Of an erased client, only the record of the erasure is left, which admins read.
  const found = useClientData(id, { isWanted: !isAdmin || erasure.isError || Boolean(erasure.data?.plan) });
  const changes = useClientDataChanges(id);
  if (erasure.data?.record) return <ErasedClient record={erasure.data.record} />;
  if (found.data) {
    const { client } = found.data;
    return (
      <>
        <PageHead title={`Data of ${client.name}`}>
          Client {client.reference}: what Keyturn keeps, until when, and why.
        </PageHead>
        <KeptSection data={found.data} />
        <HoldsSection data={found.data} changes={changes} />
        {isAdmin && <ExportSection client={client} />}
        {isAdmin && <ErasureSection clientId={id} erasure={erasure} changes={changes} />}
      </>
    );
  }
  return (
    <>
      <PageHead title="Client data" />
      {found.error ? (
        <LoadFailure
          what="The client’s data"
          message={errorText(found.error)}
          isTrying={found.isFetching}
          onRetry={() => void found.refetch()}
        />
      ) : (
        <Skeleton height={480} />
      )}
    </>
  );
}
