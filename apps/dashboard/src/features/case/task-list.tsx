import type { CaseSearch, ConveyancingCase, Handler, Task } from '@keyturn/contract';
import { Link } from '@tanstack/react-router';
import { useCaseStore } from '../../api/use-case-state.ts';
import { ButtonLink, buttonClass } from '../../ui/button.tsx';
import { formatNearDay } from '../../ui/format-date.ts';
import { formatMoney } from '../../ui/format-money.ts';
import { telephoneHref } from '../../ui/format-phone.ts';
import { Panel } from '../../ui/panel.tsx';
import { useToday } from '../../ui/use-today.ts';
import { openTasks } from './open-tasks.ts';
import styles from './task-list.module.css';

export interface TaskListProps {
  conveyancingCase: ConveyancingCase;
  /** Undefined while they are on their way. */
  caseSearches: CaseSearch[] | undefined;
}

/** "What we need from you": every open task with its one way on. */
export function TaskList({ conveyancingCase, caseSearches }: TaskListProps) {
  const tasks = openTasks(conveyancingCase.tasks, caseSearches);
  if (tasks.length === 0) return <NothingWanted conveyancingCase={conveyancingCase} />;
  const { handlers, firm } = conveyancingCase;
  return (
    <Panel look="wash" title="What we need from you">
      <ol className={styles.tasks}>
        {tasks.map((task, index) => (
          <TaskRow
            key={task.id}
            task={task}
            isFirst={index === 0}
            contact={contactOf(handlers, firm.phone)}
          />
        ))}
      </ol>
    </Panel>
  );
}

function NothingWanted({ conveyancingCase: { status } }: { conveyancingCase: ConveyancingCase }) {
  if (status === 'completed' || status === 'abandoned') return null;
  return (
    <Panel look="wash" title="What we need from you">
      <p className={styles.nothing}>
        Nothing at the moment. When there is something to pay, read or sign, it appears here first.
      </p>
    </Panel>
  );
}

interface Contact {
  name: string;
  phone: string;
}

function TaskRow({ task, isFirst, contact }: { task: Task; isFirst: boolean; contact: Contact }) {
  const today = useToday();
  return (
    <li className={styles.task}>
      <div>
        <h3>{task.title}</h3>
        <p>
          {task.explanation}{' '}
          {task.due_on && (
            <strong className={styles.due}>
              {task.due_on < today ? 'Was due' : 'By'} {formatNearDay(task.due_on, today)}
            </strong>
          )}
        </p>
        <WithoutScreen task={task} contact={contact} />
      </div>
      <WayOn task={task} isFirst={isFirst} contact={contact} />
    </li>
  );
}

function WayOn({ task, isFirst, contact }: { task: Task; isFirst: boolean; contact: Contact }) {
  const caseState = useCaseStore();
  const { kind, case_search_id, amount } = task;
  const look = isFirst ? 'primary' : 'quiet';
  if (kind === 'pay_search' && case_search_id) {
    return (
      <Link
        to="/payment-details"
        className={buttonClass({ look })}
        onClick={() => caseState.selectCaseSearch(case_search_id)}
      >
        {amount === null ? 'Continue to payment' : `Pay ${formatMoney(amount)}`}
      </Link>
    );
  }
  if (kind === 'contact_us' || kind === 'pay') {
    return (
      <ButtonLink href={telephoneHref(contact.phone)} look={look}>
        Call {contact.phone}
      </ButtonLink>
    );
  }
  return null;
}

/** What cannot be done on a screen says how it is done instead. */
function WithoutScreen({
  task: { kind, amount },
  contact: { name, phone },
}: {
  task: Task;
  contact: Contact;
}) {
  if (kind === 'pay') {
    return (
      <p>
        {amount === null ? '' : `${formatMoney(amount)}. `}Call {name}, who takes this payment by phone.
      </p>
    );
  }
  if (kind !== 'read_document' && kind !== 'sign_document') return null;
  return (
    <p>
      We send it to you. If it has not reached you, call {name} on <a href={telephoneHref(phone)}>{phone}</a>.
    </p>
  );
}

const contactOf = ([first]: Handler[], phone: string): Contact =>
  first ? { name: first.name, phone: first.phone } : { name: 'us', phone };
