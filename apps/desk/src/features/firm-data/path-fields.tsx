import { useMember } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { useEditedItems } from './edited-item.tsx';
import { withNewStation } from './entered-path.ts';
import styles from './firm-data.module.css';
import { type PathProps, StationFields } from './station-fields.tsx';

/** The stations of a path with their steps. */
export function PathFields(props: PathProps) {
  const { entered, onChange } = props;
  const { role } = useMember();
  const items = useEditedItems();
  return (
    <div ref={items.box}>
      {entered.map((station, index) => (
        <StationFields key={station.id} {...props} station={station} index={index} items={items} />
      ))}
      {role === 'admin' && (
        <p className={styles.add}>
          <Button
            onClick={() => {
              const changed = withNewStation(entered);
              onChange(changed);
              items.showNew(changed.at(-1)?.id ?? 0);
            }}
          >
            Add a station
          </Button>
        </p>
      )}
    </div>
  );
}
