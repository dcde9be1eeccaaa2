import { exportDateFormats, exportFields, exportRows, maxExportColumns } from '@keyturn/contract/staff';
import { useMember } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { focusNeighbour } from '../../../ui/base/focus-neighbour.ts';
import { SelectField, TextField } from '../../../ui/forms/fields.tsx';
import { moved, replaced, unusedId, without } from '../entered-members.ts';
import styles from '../firm-data.module.css';
import type { EnteredColumn, EnteredExport } from './entered-exports.ts';
import { ExportPreview } from './export-preview.tsx';
import { codeGroups, fieldNames, rowNames } from './export-texts.ts';

const fieldOptions = exportFields.map((value) => ({ value, name: fieldNames[value] }));
const rowOptions = exportRows.map((value) => ({ value, name: rowNames[value] }));
const dateOptions = exportDateFormats.map((value) => ({ value, name: value }));

interface FieldsProps {
  format: EnteredExport;
  onChange(format: EnteredExport): void;
}

/** The fields of an export format, with a preview. */
export function ExportFields({ format, onChange }: FieldsProps) {
  const { role } = useMember();
  const set = (change: Partial<EnteredExport>) => onChange({ ...format, ...change });
  return (
    <>
      <TextField
        label="Name"
        autoComplete="off"
        maxLength={60}
        value={format.name}
        className={styles.type}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <div className={styles.pair}>
        <SelectField
          label="A row"
          value={format.rows}
          options={rowOptions}
          onChoose={(rows) => set({ rows })}
        />
        <SelectField
          label="Days"
          value={format.date_format}
          options={dateOptions}
          onChoose={(date_format) => set({ date_format })}
        />
      </div>
      {codeGroups.map((group) => (
        <Codes key={group.group} group={group} format={format} onChange={onChange} />
      ))}
      <Columns format={format} onChange={onChange} />
      {role !== 'handler' && <ExportPreview format={format} />}
    </>
  );
}

function Codes({
  group: { group, title, names },
  format,
  onChange,
}: FieldsProps & { group: (typeof codeGroups)[number] }) {
  const codes: Record<string, string> = format.codes[group];
  return (
    <fieldset className={styles.card}>
      <legend>{title}</legend>
      <div className={styles.pair}>
        {Object.entries(names).map(([code, label]) => (
          <TextField
            key={code}
            label={label}
            autoComplete="off"
            maxLength={40}
            value={codes[code] ?? ''}
            onChange={({ currentTarget }) =>
              onChange({
                ...format,
                codes: { ...format.codes, [group]: { ...codes, [code]: currentTarget.value } },
              })
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

function Columns({ format, onChange }: FieldsProps) {
  const { role } = useMember();
  const { columns } = format;
  const set = (changed: EnteredColumn[]) => onChange({ ...format, columns: changed });
  return (
    <fieldset className={styles.card}>
      <legend>Columns</legend>
      <ol className={styles.list}>
        {columns.map((column, index) => (
          <li key={column.id} className={styles.item}>
            <TextField
              label={`Heading ${index + 1}`}
              autoComplete="off"
              maxLength={60}
              value={column.heading}
              onChange={({ currentTarget }) =>
                set(replaced(columns, { ...column, heading: currentTarget.value }))
              }
            />
            <SelectField
              label="Content"
              value={column.field}
              options={fieldOptions}
              onChoose={(field) => set(replaced(columns, { ...column, field }))}
            />
            {column.field === 'fixed_text' && (
              <TextField
                label="Text"
                autoComplete="off"
                maxLength={200}
                value={column.text}
                onChange={({ currentTarget }) =>
                  set(replaced(columns, { ...column, text: currentTarget.value }))
                }
              />
            )}
            {role !== 'handler' && (
              <ColumnButtons
                name={column.heading || `column ${index + 1}`}
                canMoveUp={index > 0}
                onMoveUp={() => set(moved(columns, index, -1))}
                onRemove={columns.length > 1 ? () => set(without(columns, column.id)) : undefined}
              />
            )}
          </li>
        ))}
      </ol>
      {role !== 'handler' && columns.length < maxExportColumns && (
        <Button
          onClick={() =>
            set([...columns, { id: unusedId(columns), heading: '', field: 'narrative', text: '' }])
          }
        >
          Add a column
        </Button>
      )}
    </fieldset>
  );
}

function ColumnButtons({
  name,
  canMoveUp,
  onMoveUp,
  onRemove,
}: {
  name: string;
  canMoveUp: boolean;
  onMoveUp(): void;
  onRemove: (() => void) | undefined;
}) {
  return (
    <>
      <Button look="plain" disabled={!canMoveUp} aria-label={`Move ${name} up`} onClick={onMoveUp}>
        Up
      </Button>
      {onRemove && (
        <Button
          look="plain"
          aria-label={`Remove ${name}`}
          onClick={({ currentTarget }) => {
            focusNeighbour(currentTarget);
            onRemove();
          }}
        >
          Remove
        </Button>
      )}
    </>
  );
}
