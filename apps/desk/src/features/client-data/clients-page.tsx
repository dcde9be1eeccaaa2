import type { ListedClient } from '@keyturn/contract/staff';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useClientSearch } from '../../api/client-search.ts';
import { EmptyState, PageHead } from '../../ui/base/page.tsx';
import { SearchField } from '../../ui/forms/fields.tsx';
import { Toolbar } from '../../ui/forms/toolbar.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';

const columns: readonly Column<ListedClient>[] = [
  {
    key: 'name',
    heading: 'Client',
    isRowHeader: true,
    cell: ({ id, name }) => <Link to={`/clients/${id}`}>{name}</Link>,
  },
  { key: 'email', heading: 'Email address', cell: ({ email }) => email },
  {
    key: 'cases',
    heading: 'Cases',
    cell: ({ case_references }) => case_references.join(', ') || 'None',
  },
  { key: 'reference', heading: 'Reference', cell: ({ reference }) => reference },
];

/** Finds a client whose data is asked for, and lists the clients without a case, who are on no other page. */
export default function ClientsPage() {
  const [, navigate] = useLocation();
  const [params, setParams] = useSearchParams();
  const search = params.get('q') ?? '';
  const isSearch = search.trim() !== '';
  const found = useClientSearch(search);
  return (
    <>
      <PageHead title="Clients">
        {isSearch
          ? 'Clients whose name, email address or reference contains these words.'
          : 'Clients without a case. Search to find any other client.'}
      </PageHead>
      <Toolbar label="Search clients">
        <SearchField
          label="Search clients"
          placeholder="Name, email address or reference"
          value={search}
          onSearch={(text) => setParams(text === '' ? {} : { q: text }, { replace: true })}
        />
      </Toolbar>
      <Table
        label="Clients"
        columns={columns}
        query={{ ...found, data: found.data?.clients }}
        keyOf={({ id }) => id}
        onOpen={({ id }) => navigate(`/clients/${id}`)}
        empty={
          <EmptyState title={isSearch ? 'No client matches this search.' : 'Every client has a case.'} />
        }
        isMain
        announcesChanges
      />
      {found.data?.has_more && (
        <p>There are more clients than these 50. Search for a name or an email address.</p>
      )}
    </>
  );
}
