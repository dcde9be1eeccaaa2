import { type StaffRole, staffRoles } from '@keyturn/contract/staff';
import { roleNames } from '../../../api/role-names.ts';
import { ChoiceGroup } from '../../../ui/forms/choice-group.tsx';

/** A choice of the member’s role. */
export const RoleChoice = ({ role, onChoose }: { role: StaffRole; onChoose: (role: StaffRole) => void }) => (
  <ChoiceGroup legend="Role" choices={choices} value={role} onChoose={onChoose} />
);

const descriptions: Record<StaffRole, string> = {
  handler: 'Runs cases.',
  finance: 'Looks after payments.',
  admin: 'Manages staff and the firm’s settings.',
};

const choices = staffRoles.map((role) => ({ value: role, name: roleNames[role], hint: descriptions[role] }));
