import type { CaseSearch, ConveyancingCase, Task } from '@keyturn/contract';
import { Link } from '@tanstack/react-router';
import { useCaseStore } from '../../../api/case/use-case-state.ts';
import { ButtonLink, buttonClass } from '../../../ui/base/button.tsx';
import { telephoneHref } from '../../../ui/base/format-phone.ts';
import { Panel } from '../../../ui/content/panel.tsx';
import { formatNearDay } from '../../../ui/format/format-date.ts';
import { formatMoney } from '../../../ui/format/format-money.ts';
import { useToday } from '../../../ui/format/use-today.ts';
import { openTasks } from './open-tasks.ts';
import styles from './task-list.module.css';

export interface TaskListProps {
  conveyancingCase: ConveyancingCase;
  /** Undefined while loading. */
  caseSearches: CaseSearch[] | undefined;
}

/** Lists what we need from the client: every open task with a button that leads to it. */
export function TaskList({ conveyancingCase, caseSearches }: TaskListProps) {
  const tasks = openTasks(conveyancingCase.tasks, caseSearches);
  if (tasks.length === 0) return <NoTasks conveyancingCase={conveyancingCase} />;
  const { handlers, firm } = conveyancingCase;
  return (
    <Panel look="wash" title="What we need from you">
      <ol className={styles.tasks}>
        {tasks.map((task, index) => (
          <TaskRow key={task.id} task={task} isFirst={index === 0} phone={handlers[0]?.phone ?? firm.phone} />
        ))}
      </ol>
    </Panel>
  );
}

function NoTasks({ conveyancingCase: { status } }: { conveyancingCase: ConveyancingCase }) {
  if (status === 'completed' || status === 'abandoned') return null;
  return (
    <Panel look="wash" title="What we need from you">
      <p className={styles.noTasks}>
        You don’t need to do anything at the moment. When there’s something to pay, read or sign, it appears
        here first.
      </p>
    </Panel>
  );
}

function TaskRow({ task, isFirst, phone }: { task: Task; isFirst: boolean; phone: string }) {
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
      </div>
      <TaskButton task={task} isFirst={isFirst} phone={phone} />
    </li>
  );
}

function TaskButton({ task, isFirst, phone }: { task: Task; isFirst: boolean; phone: string }) {
  const caseState = useCaseStore();
  const { kind, title, case_search_id, document_id, matter_id, amount } = task;
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
  if (kind === 'pay') {
    const search = {
      for: title,
      ...(amount === null ? {} : { amount }),
      ...(matter_id === null ? {} : { matter: matter_id }),
    };
    return (
      <Link to="/payment-other" search={search} className={buttonClass({ look })}>
        {amount === null ? 'Continue to payment' : `Pay ${formatMoney(amount)}`}
      </Link>
    );
  }
  if (document_id !== null && (kind === 'read_document' || kind === 'sign_document')) {
    return (
      <Link to="/documents/$id" params={{ id: document_id }} className={buttonClass({ look })}>
        {kind === 'sign_document' ? 'Read and sign' : 'Read it'}
      </Link>
    );
  }
  return (
    <ButtonLink href={telephoneHref(phone)} look={look}>
      Call {phone}
    </ButtonLink>
  );
}
