import type { MatterType } from '@keyturn/contract';
import { requiredSteps } from '@keyturn/contract/staff';
import { useMember } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { focusNeighbour } from '../../ui/base/focus-neighbour.ts';
import { TextField } from '../../ui/forms/fields.tsx';
import { EditedItem, type EditedItems } from './edited-item.tsx';
import { moved, problemInWords, replaced, unusedId, without } from './entered-members.ts';
import {
  canMoveStep,
  type EnteredPath,
  type EnteredStage,
  memberOfField,
  withMovedStep,
  withNewStep,
  withoutStep,
  withStep,
} from './entered-path.ts';
import styles from './firm-data.module.css';
import { StepFields, summaryOf } from './step-fields.tsx';

export interface PathProps {
  matterType: MatterType;
  entered: EnteredPath;
  onChange(entered: EnteredPath): void;
  /** The server’s messages, by the path of the field. */
  errors: Record<string, string>;
}

interface StageProps extends PathProps {
  stage: EnteredStage;
  /** The position of the stage in the path, from 0. */
  index: number;
  items: EditedItems;
}

/** A stage of a path with its steps. */
export function StageFields(props: StageProps) {
  const { entered, onChange, errors, stage, index, items } = props;
  const { role } = useMember();
  return (
    <fieldset className={styles.card} data-item={stage.id}>
      <legend>
        Stage {index + 1}
        {stage.title && `: ${stage.title}`}
      </legend>
      <div className={styles.stage}>
        <TextField
          label="Title of the stage"
          maxLength={60}
          autoComplete="off"
          value={stage.title}
          error={problemOf(entered, errors, stage.id)}
          onChange={({ currentTarget }) =>
            onChange(replaced(entered, { ...stage, title: currentTarget.value }))
          }
        />
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={stage.key_moment}
            onChange={({ currentTarget }) =>
              onChange(replaced(entered, { ...stage, key_moment: currentTarget.checked }))
            }
          />
          A key moment, shown larger
        </label>
        {role === 'admin' && <StageMoves {...props} />}
      </div>
      {stage.steps.length === 0 && (
        <p className={styles.note}>No steps yet. Add one, move one here, or remove the stage.</p>
      )}
      <StageSteps {...props} />
      {role === 'admin' && (
        <Button
          onClick={() => {
            const id = unusedId(entered.flatMap((each) => [each, ...each.steps]));
            onChange(withNewStep(entered, stage.id));
            items.showNew(id);
          }}
        >
          Add a step to {stage.title ? `“${stage.title}”` : 'this stage'}
        </Button>
      )}
    </fieldset>
  );
}

/** Moves the stage, and removes it while it has no steps. */
function StageMoves({ entered, onChange, stage, index, items }: StageProps) {
  const name = stage.title || `stage ${index + 1}`;
  const move = (by: -1 | 1) => {
    onChange(moved(entered, index, by));
    items.followMove(stage.id, by);
  };
  return (
    <div className={styles.moves}>
      <Button
        data-move="-1"
        disabled={index === 0}
        aria-label={`Move up the stage ${name}`}
        onClick={() => move(-1)}
      >
        Move up
      </Button>
      <Button
        data-move="1"
        disabled={index === entered.length - 1}
        aria-label={`Move down the stage ${name}`}
        onClick={() => move(1)}
      >
        Move down
      </Button>
      {stage.steps.length === 0 && (
        <Button
          look="plain"
          aria-label={`Remove the stage ${name}`}
          onClick={({ currentTarget }) => {
            focusNeighbour(currentTarget);
            onChange(without(entered, stage.id));
          }}
        >
          Remove
        </Button>
      )}
    </div>
  );
}

/** The steps of the stage; each opens for editing. */
function StageSteps({ matterType, entered, onChange, errors, stage, index, items }: StageProps) {
  const stepsBefore = entered.slice(0, index).reduce((count, { steps }) => count + steps.length, 0);
  return (
    <ol className={styles.list}>
      {stage.steps.map((step, place) => (
        <EditedItem
          key={step.id}
          id={step.id}
          items={items}
          name={`${stepsBefore + place + 1}. ${step.title || 'New step'}`}
          summary={summaryOf(step)}
          problem={problemOf(entered, errors, step.id)}
          moves={([-1, 1] as const).filter((by) => canMoveStep(entered, step.id, by))}
          onMove={(by) => onChange(withMovedStep(entered, step.id, by))}
          onRemove={
            requiredSteps[matterType].includes(step.key)
              ? undefined
              : () => onChange(withoutStep(entered, step.id))
          }
        >
          <StepFields
            step={step}
            isRequired={requiredSteps[matterType].includes(step.key)}
            onChange={(changed) => onChange(withStep(entered, changed))}
          />
        </EditedItem>
      ))}
    </ol>
  );
}

function problemOf(path: EnteredPath, errors: Record<string, string>, id: number): string | undefined {
  const found = Object.entries(errors)
    .filter(([field]) => memberOfField(path, field)?.id === id)
    .map(([field, message]) => problemInWords(field, message));
  return found.join('. ') || undefined;
}
