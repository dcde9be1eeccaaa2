import type { CaseFilter, CaseView } from '@keyturn/contract/staff';
import { useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../ui/base/button.tsx';
import { showFailure, showToast } from '../../ui/feedback/toast-store.ts';
import { useUndo } from '../../ui/feedback/use-undo.ts';
import { SelectField, TextField } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { isSameFilter, toSearch, usualFilter } from './case-filter.ts';
import { useCaseViews } from './case-list-queries.ts';

/** The member’s own filters: opens one, saves the current one, or deletes it. */
export function SavedViews({ filter }: { filter: CaseFilter }) {
  const [, navigate] = useLocation();
  const { views, save, remove } = useCaseViews();
  const [isSaving, setSaving] = useState(false);
  const offerUndo = useUndo();
  const viewFieldId = useId();
  const hasSaved = useRef(false);
  const current = views.find((view) => isSameFilter(view.filter, filter));
  const isUsual = isSameFilter(filter, usualFilter);
  useEffect(() => {
    if (!hasSaved.current || isSaving || !current) return;
    hasSaved.current = false;
    // The button that opened the dialog now deletes the view, so that a second press would undo the first.
    document.getElementById(viewFieldId)?.focus();
  }, [isSaving, current, viewFieldId]);
  const open = (id: string) => {
    const search = toSearch(views.find((view) => view.id === id)?.filter ?? usualFilter);
    navigate(`/cases${search && `?${search}`}`);
  };
  const deleteView = (view: CaseView) =>
    remove(view).then(
      () =>
        offerUndo({
          text: `The view “${view.name}” is deleted.`,
          undo: () => save(view),
          undone: `The view “${view.name}” is back.`,
        }),
      showFailure,
    );
  return (
    <>
      {views.length > 0 && (
        <SelectField
          label="View"
          id={viewFieldId}
          isInline
          value={current?.id ?? (isUsual ? 'usual' : 'other')}
          options={[
            { value: 'usual', name: 'Open cases' },
            ...views.map(({ id, name }) => ({ value: id, name })),
            ...(current || isUsual ? [] : [{ value: 'other', name: 'Not saved' }]),
          ]}
          onChoose={open}
        />
      )}
      {/* The same element, so that it keeps the focus. */}
      {current ? (
        <Button look="plain" onClick={() => void deleteView(current)}>
          Delete this view
        </Button>
      ) : (
        !isUsual && (
          <Button look="plain" onClick={() => setSaving(true)}>
            Save as a view
          </Button>
        )
      )}
      {isSaving && (
        <SaveDialog
          views={views}
          onClose={() => setSaving(false)}
          onSave={async (name) => {
            await save({ name, filter });
            hasSaved.current = true;
            showToast(`The view “${name.trim()}” is saved.`);
          }}
        />
      )}
    </>
  );
}

function SaveDialog({
  views,
  onClose,
  onSave,
}: {
  views: CaseView[];
  onClose: () => void;
  onSave: (name: string) => Promise<void>;
}) {
  const [name, setName] = useState('');
  const replaces = views.find((view) => view.name.toLowerCase() === name.trim().toLowerCase());
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Save this search and its filters as a view"
      action="Save the view"
      onSubmit={() => onSave(name)}
    >
      {(errors) => (
        <TextField
          label="Name"
          hint={replaces ? `This replaces your view “${replaces.name}”.` : 'Only you see your views.'}
          value={name}
          required
          maxLength={60}
          error={errors.name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}
