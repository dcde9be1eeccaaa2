import type { FeedKey } from '@keyturn/contract/staff';
import { formatEntryMoment, formatShortDay } from '@keyturn/format/dates';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getConfig } from '../../api/config.ts';
import { callStaff } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState, PageHead } from '../../ui/base/page.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { CreateKeyDialog, RevokeKeyDialog } from './key-dialog.tsx';
import { RotateSecretDialog, SecretDialog } from './secret-dialog.tsx';

const keysKey = ['feed-keys'] as const;

/** The open dialog of the page. */
type Asked =
  | { kind: 'create' }
  | { kind: 'rotate' | 'revoke'; key: FeedKey }
  | { kind: 'secret'; secret: string };

/** Where admins manage the keys with which the firm’s systems call the case feed. */
export default function ApiKeysPage() {
  const queries = useQueryClient();
  const keys = useQuery({
    queryKey: keysKey,
    queryFn: ({ signal }) => callStaff('GET /staff/feed-keys', { signal }),
  });
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const refresh = () => queries.invalidateQueries({ queryKey: keysKey });
  const showSecret = async (secret: string) => {
    setAsked({ kind: 'secret', secret });
    await refresh();
  };
  const columns = useColumns((kind, key) => setAsked({ kind, key }));
  return (
    <>
      <PageHead
        title="API keys"
        actions={
          <Button look="primary" onClick={() => setAsked({ kind: 'create' })}>
            Create a key
          </Button>
        }
      >
        With a key, one of your systems sends cases to Keyturn and reads what clients do.
        {getConfig().api_descriptions && (
          <>
            {' '}
            The <a href="/docs/api">documentation of the API</a> has every call.
          </>
        )}
      </PageHead>
      <Table
        label="API keys"
        columns={columns}
        query={keys}
        keyOf={({ id }) => id}
        empty={<EmptyState title="There are no keys yet." />}
        isMain
      />
      {asked?.kind === 'create' && <CreateKeyDialog onClose={close} onSecret={showSecret} />}
      {asked?.kind === 'rotate' && (
        <RotateSecretDialog
          name={asked.key.name}
          hint="This gives you time to change the secret in your system."
          rotate={(hours) =>
            callStaff('POST /staff/feed-keys/{id}/rotate', {
              params: { id: asked.key.id },
              body: { overlap_hours: hours },
            })
          }
          onClose={close}
          onSecret={showSecret}
        />
      )}
      {asked?.kind === 'revoke' && <RevokeKeyDialog feedKey={asked.key} onClose={close} onDone={refresh} />}
      {asked?.kind === 'secret' && <SecretDialog secret={asked.secret} onClose={close} />}
    </>
  );
}

function useColumns(onChoose: (kind: 'rotate' | 'revoke', key: FeedKey) => void): Column<FeedKey>[] {
  const today = useToday();
  return [
    { key: 'name', heading: 'Name', isRowHeader: true, cell: ({ name }) => name },
    {
      key: 'state',
      heading: 'State',
      cell: ({ state, expires_at }) =>
        state === 'active' ? (
          <StatusTag tone="good">
            {expires_at ? `Works until ${formatShortDay(expires_at.slice(0, 10))}` : 'Active'}
          </StatusTag>
        ) : (
          <StatusTag tone="off">{state === 'revoked' ? 'Revoked' : 'Expired'}</StatusTag>
        ),
    },
    { key: 'writes', heading: 'Writes', cell: ({ scopes }) => kindsOf(scopes, 'write') },
    { key: 'reads', heading: 'Reads', cell: ({ scopes }) => kindsOf(scopes, 'read') },
    {
      key: 'used',
      heading: 'Last used',
      cell: ({ last_used_at }) => (last_used_at ? formatEntryMoment(last_used_at, today) : 'Never'),
    },
    {
      key: 'actions',
      heading: 'Actions',
      isHeadingHidden: true,
      align: 'end',
      cell: (key) =>
        key.state === 'active' && (
          <Menu
            look="plain"
            about={`for ${key.name}`}
            items={[
              { name: 'Replace the secret', isDangerous: false, onChoose: () => onChoose('rotate', key) },
              { name: 'Revoke', isDangerous: true, onChoose: () => onChoose('revoke', key) },
            ]}
          >
            Manage
          </Menu>
        ),
    },
  ];
}

const kindsOf = (scopes: FeedKey['scopes'], access: 'read' | 'write') =>
  scopes
    .filter((scope) => scope.endsWith(`:${access}`))
    .map((scope) => scope.slice(0, scope.indexOf(':')))
    .join(', ') || 'Nothing';
