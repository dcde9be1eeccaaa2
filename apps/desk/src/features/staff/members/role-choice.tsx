import { type StaffRole, staffRoles } from '@keyturn/contract/staff';
import { Choice } from '@keyturn/dashboard/ui/forms/choice.tsx';
import { useId } from 'react';
import { roleNames } from '../../../api/role-names.ts';
import styles from './role-choice.module.css';

/** A choice of the member’s role. */
export function RoleChoice({ role, onChoose }: { role: StaffRole; onChoose: (role: StaffRole) => void }) {
  const id = useId();
  return (
    <fieldset className={styles.roles}>
      <legend>Role</legend>
      {staffRoles.map((choice) => (
        <Choice
          key={choice}
          id={`${id}-${choice}`}
          name={id}
          checked={role === choice}
          onChoose={() => onChoose(choice)}
          hint={descriptions[choice]}
        >
          {roleNames[choice]}
        </Choice>
      ))}
    </fieldset>
  );
}

const descriptions: Record<StaffRole, string> = {
  handler: 'Runs cases.',
  finance: 'Looks after payments.',
  admin: 'Manages staff and the firm’s settings.',
};
