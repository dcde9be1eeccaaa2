import { useMember } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { useEditedItems } from './edited-item.tsx';
import { withNewStage } from './entered-path.ts';
import styles from './firm-data.module.css';
import { type PathProps, StageFields } from './stage-fields.tsx';

/** The stages of a path with their steps. */
export function PathFields(props: PathProps) {
  const { entered, onChange } = props;
  const { role } = useMember();
  const items = useEditedItems();
  return (
    <div ref={items.box}>
      {entered.map((stage, index) => (
        <StageFields key={stage.id} {...props} stage={stage} index={index} items={items} />
      ))}
      {role === 'admin' && (
        <p className={styles.add}>
          <Button
            onClick={() => {
              const changed = withNewStage(entered);
              onChange(changed);
              items.showNew(changed.at(-1)?.id ?? 0);
            }}
          >
            Add a stage
          </Button>
        </p>
      )}
    </div>
  );
}
