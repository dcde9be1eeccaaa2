import { callStaff, useMember } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { PageHead } from '../../../ui/base/page.tsx';
import { EditedItem, useEditedItems } from '../edited-item.tsx';
import { fieldPath, moved, problemInWords, replaced, unusedId, without } from '../entered-members.ts';
import styles from '../firm-data.module.css';
import { SettingsForm } from '../settings-form.tsx';
import { useSave, useVersioned } from '../use-versioned.ts';
import { type EnteredExport, enteredExports, toExports } from './entered-exports.ts';
import { ExportFields } from './export-fields.tsx';
import { rowNames } from './export-texts.ts';

const editors = ['finance', 'admin'] as const;

/** Where finance and admins change the formats in which the ledger is exported. */
export default function LedgerExportsPage() {
  const settings = useVersioned('GET /staff/ledger-exports', enteredExports);
  const save = useSave(settings, {
    toValue: toExports,
    send: (body) => callStaff('PUT /staff/ledger-exports', { body }),
    changed: 'Export formats saved.',
    restored: 'Export formats restored.',
  });
  return (
    <>
      <PageHead title="Ledger exports">
        The formats in which finance downloads the ledger as a CSV file. Set the columns and codes that your
        accounts system imports, and try an import before you rely on it: Keyturn ships no format of a named
        product.
      </PageHead>
      <SettingsForm
        what="the export formats"
        settings={settings}
        onSave={save}
        editors={editors}
        placeOf={(field) => placeOf(fieldPath(field))}
      >
        {(errors) =>
          settings.current && (
            <Formats
              // Items of another version have different ids.
              key={settings.current.version}
              entered={settings.current.entered}
              onChange={settings.change}
              errors={errors}
            />
          )
        }
      </SettingsForm>
    </>
  );
}

/** Names the part of the form with a field: “Format 2, column 3”. */
const placeOf = ([, format, part, column]: readonly string[]): string =>
  `Format ${Number(format) + 1}${part === 'columns' && column ? `, column ${Number(column) + 1}` : ''}`;

function Formats({
  entered,
  onChange,
  errors,
}: {
  entered: EnteredExport[];
  onChange(entered: EnteredExport[]): void;
  errors: Record<string, string>;
}) {
  const { role } = useMember();
  const items = useEditedItems();
  const problemOf = (index: number) =>
    Object.entries(errors)
      .filter(([field]) => fieldPath(field)[1] === String(index))
      .map(([field, message]) => `${placeOf(fieldPath(field))}, ${problemInWords(field, message)}`)
      .join('. ') || undefined;
  return (
    <div ref={items.box}>
      <ol className={styles.list}>
        {entered.map((format, index) => (
          <EditedItem
            key={format.id}
            id={format.id}
            items={items}
            editors={editors}
            name={format.name || 'New format'}
            summary={`${index === 0 ? 'Used unless another is chosen. ' : ''}Rows: ${rowNames[format.rows].toLowerCase()}.`}
            problem={problemOf(index)}
            moves={([-1, 1] as const).filter((by) => entered[index + by] !== undefined)}
            onMove={(by) => onChange(moved(entered, index, by))}
            onRemove={entered.length > 1 ? () => onChange(without(entered, format.id)) : undefined}
          >
            <ExportFields format={format} onChange={(changed) => onChange(replaced(entered, changed))} />
          </EditedItem>
        ))}
      </ol>
      {role !== 'handler' && (
        <Button
          onClick={() => {
            const [first] = entered.slice(-1);
            if (!first) return;
            const id = unusedId(entered);
            onChange([...entered, { ...first, id, name: '' }]);
            items.showNew(id);
          }}
        >
          Copy the last format
        </Button>
      )}
    </div>
  );
}
