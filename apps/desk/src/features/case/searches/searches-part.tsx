import type { DeskMatter, DeskSearch } from '@keyturn/contract/staff';
import { formatShortDay, formatShortDayOf } from '@keyturn/format/dates';
import { matterTypeNames } from '@keyturn/format/matter-names';
import { formatMoney } from '@keyturn/format/money';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { useState } from 'react';
import { callStaff } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { EmptyState, Section } from '../../../ui/base/page.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { type Column, Table } from '../../../ui/table/table.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';
import { EditDialog } from '../edits/edit-dialog.tsx';
import { sendSearch } from '../edits/send-edits.ts';
import { matterInSentence, matterName } from '../matter-name.ts';
import { AddSearchDialog } from './add-search-dialog.tsx';
import { copiedSearch } from './new-search.ts';
import { NewSearchDialog } from './new-search-dialog.tsx';
import { OrderDialog } from './order-dialog.tsx';
import { OrderRequests } from './order-requests.tsx';
import { ResultDialog } from './result-dialog.tsx';
import { searchEdit, searchFields, searchState, searchSteps, storedSearch } from './search-edits.ts';

type Command = 'edit' | 'order' | 'result' | 'cancel' | 'replace' | 'add-again';

/** The searches of each matter, with the next step of each. */
export function SearchesPart({ deskCase, changes, mayEdit }: CasePartProps) {
  const { matters, searches } = deskCase;
  const [opened, setOpened] = useState<{ command: Command; id: string } | null>(null);
  const [addingTo, setAddingTo] = useState<string | null>(null);
  const search = searches.find(({ id }) => id === opened?.id);
  const matter = matters.find(({ id }) => id === addingTo);
  const searchesOf = (ofMatter: DeskMatter) => searches.filter(({ matter_id }) => matter_id === ofMatter.id);
  const columns = columnsFor(mayEdit ? (command, id) => setOpened({ command, id }) : null);
  return (
    <>
      {matters.map((each, index) => (
        <Section
          key={each.id}
          title={matterName(each)}
          actions={
            mayEdit && (
              <Button onClick={() => setAddingTo(each.id)}>
                Add a search
                {matters.length > 1 && <VisuallyHidden> to the {matterInSentence(each)}</VisuallyHidden>}
              </Button>
            )
          }
        >
          <Table
            label={`Searches of the ${matterTypeNames[each.matter_type].toLowerCase()} ${deskCase.reference}`}
            columns={columns}
            query={{ data: searchesOf(each), error: null, isFetching: false, refetch: changes.refresh }}
            keyOf={({ id }) => id}
            empty={<EmptyState title="This matter has no searches." />}
            isMain={index === 0}
            {...(mayEdit ? { onOpen: ({ id }: DeskSearch) => setOpened({ command: 'edit', id }) } : {})}
          />
          <OrderRequests searches={searchesOf(each)} />
        </Section>
      ))}
      {matter && (
        <AddSearchDialog
          matter={matter}
          searches={searchesOf(matter)}
          changes={changes}
          onClose={() => setAddingTo(null)}
        >
          {matters.length > 1 && <p>For the {matterInSentence(matter)}.</p>}
        </AddSearchDialog>
      )}
      {search && opened && (
        <SearchDialog
          deskCase={deskCase}
          changes={changes}
          search={search}
          command={opened.command}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

/** The dialog of a command for a search. */
function SearchDialog({
  deskCase,
  changes,
  search,
  command,
  onClose,
}: Pick<CasePartProps, 'deskCase' | 'changes'> & { search: DeskSearch; command: Command; onClose(): void }) {
  const shared = { search, changes, onClose };
  if (command === 'order') return <OrderDialog {...shared} />;
  if (command === 'result') return <ResultDialog {...shared} />;
  if (command === 'cancel') return <CancelDialog {...shared} />;
  if (command === 'edit')
    return (
      <EditDialog
        title={search.name}
        fields={(values) => searchFields(search, values)}
        stored={storedSearch(search)}
        changes={changes}
        find={(newest) => {
          const found = newest.searches.find(({ id }) => id === search.id);
          return found ? storedSearch(found) : null;
        }}
        save={(changed, version, values) =>
          changes.save(sendSearch(search.id), searchEdit(changed, version, values), {
            done: `${search.name} saved.`,
            undone: `Change to ${search.name} undone.`,
          })
        }
        onClose={onClose}
      />
    );
  const matter = deskCase.matters.find(({ id }) => id === search.matter_id);
  const isReplaced = command === 'replace';
  return (
    matter && (
      <NewSearchDialog
        title={isReplaced ? `Replace ${search.name}` : `Add ${search.name} again`}
        action={isReplaced ? 'Replace the search' : 'Add the search'}
        matter={matter}
        searches={[]}
        changes={changes}
        start={copiedSearch(search)}
        replaced={isReplaced ? search : undefined}
        onClose={onClose}
      >
        {isReplaced && (
          <p>
            {search.name} is cancelled, and the new search is added at the same time. This cannot be undone.
            This doesn’t refund any payment.
          </p>
        )}
      </NewSearchDialog>
    )
  );
}

function CancelDialog({
  search,
  changes,
  onClose,
}: Pick<CasePartProps, 'changes'> & { search: DeskSearch; onClose(): void }) {
  const cancel = () =>
    changes.make(
      callStaff('POST /staff/searches/{id}/cancel', {
        params: { id: search.id },
        body: { version: search.version },
      }),
      `${search.name} is cancelled.`,
    );
  return (
    <FormDialog
      open
      title={`Cancel ${search.name}?`}
      action="Cancel the search"
      dismiss="Keep the search"
      look="danger"
      onSubmit={cancel}
      onClose={onClose}
    >
      <p>
        The clients see that it is cancelled, and their task to pay is closed. This cannot be undone. This
        doesn’t refund any payment.
      </p>
    </FormDialog>
  );
}

/** @param open null for a role that may not change cases */
function columnsFor(open: ((command: Command, id: string) => void) | null): Column<DeskSearch>[] {
  return [
    { key: 'name', heading: 'Search', isRowHeader: true, cell: ({ name }) => name },
    {
      key: 'status',
      heading: 'Status',
      cell: (search) => <StatusTag tone={searchState(search).tone}>{searchState(search).name}</StatusTag>,
    },
    {
      key: 'price',
      heading: 'Price',
      align: 'end',
      cell: ({ price }) => formatMoney(price.gross),
    },
    {
      key: 'paid',
      heading: 'Paid',
      cell: ({ paid_at, money }) => (
        <>
          {paid_at && formatShortDayOf(paid_at)}
          {money && <span className={styles.soft}> {money.client.name}</span>}
        </>
      ),
    },
    {
      key: 'expected',
      heading: 'Expected',
      cell: ({ expected_on, delayed_reason, returned_at }) =>
        returned_at ? (
          `Received ${formatShortDayOf(returned_at)}`
        ) : (
          <>
            {expected_on && formatShortDay(expected_on)}
            {delayed_reason && <span className={styles.soft}> {delayed_reason}</span>}
          </>
        ),
    },
    ...(open
      ? [
          {
            key: 'actions',
            heading: 'Actions',
            isHeadingHidden: true,
            cell: (search: DeskSearch) => (
              <Menu look="plain" about={`for ${search.name}`} items={commandsFor(search, open)}>
                Change
              </Menu>
            ),
          },
        ]
      : []),
  ];
}

function commandsFor(search: DeskSearch, open: (command: Command, id: string) => void) {
  const { canOrder, canReturn, canCancel, canAddAgain } = searchSteps(search);
  const choose = (command: Command) => () => open(command, search.id);
  return [
    ...(canOrder ? [{ name: 'Record the order', onChoose: choose('order') }] : []),
    ...(canReturn ? [{ name: 'Record the result', onChoose: choose('result') }] : []),
    { name: 'Edit', onChoose: choose('edit') },
    ...(canAddAgain ? [{ name: 'Add it again', onChoose: choose('add-again') }] : []),
    ...(canCancel ? [{ name: 'Replace', onChoose: choose('replace') }] : []),
    ...(canCancel ? [{ name: 'Cancel the search', onChoose: choose('cancel'), isDangerous: true }] : []),
  ];
}
