import {
  type CaseSearch,
  type ConveyancingCase,
  isClosed,
  isSignedOnPaper,
  type Task,
} from '@keyturn/contract';
import { formatNearDay } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import { formatPhone, telephoneHref } from '@keyturn/format/phone-number';
import { ButtonLink, buttonClass } from '@keyturn/ui/base/button.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useCaseStore } from '../../../api/case/case-store.ts';
import { purposeOfTask, usePayOtherwise } from '../../../api/payments/pay-otherwise.ts';
import { type StartedPayment, startedPayment } from '../../../api/payments/started-payment.ts';
import { useCardPurposes } from '../../../api/payments/use-card-purposes.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { Link } from '../../../navigation/link.tsx';
import { Panel } from '../../../ui/content/panel.tsx';
import { openTasks } from './open-tasks.ts';
import { signingSummary } from './signing-summary.ts';
import styles from './task-list.module.css';

export interface TaskListProps {
  conveyancingCase: ConveyancingCase;
  /** Undefined while loading. */
  caseSearches: CaseSearch[] | undefined;
}

/** Lists what we need from the client: every open task with a button that leads to it. */
export function TaskList({ conveyancingCase, caseSearches }: TaskListProps) {
  const clientId = useClient().data?.id;
  const { accepts } = useCardPurposes();
  const payOtherwise = usePayOtherwise();
  const tasks = openTasks(conveyancingCase, caseSearches, {
    acceptsPayments: accepts('search'),
  });
  if (tasks.length === 0) return <NoTasks conveyancingCase={conveyancingCase} />;
  const { handlers, firm } = conveyancingCase;
  const searchOf = ({ kind, case_search_id }: Task) =>
    kind === 'pay_search' ? caseSearches?.find(({ id }) => id === case_search_id) : undefined;
  const startedFor = (task: Task) => {
    const caseSearch = searchOf(task);
    return caseSearch ? startedPayment(caseSearch, clientId) : null;
  };
  // A payment that the joint client has started needs nothing from this client.
  const next = tasks.find((task) => startedFor(task)?.payer.kind !== 'other');
  return (
    <Panel look="wash" title="What we need from you">
      <ol className={styles.tasks}>
        {tasks.map((task) => (
          <TaskRow
            key={task.id}
            task={task}
            started={startedFor(task)}
            isNext={task === next}
            payOtherwise={
              isToPay(task)
                ? payOtherwise({
                    purpose: purposeOfTask(task),
                    amount: task.amount,
                    matterId: searchOf(task)?.matter_id ?? task.matter_id,
                  })
                : null
            }
            phone={handlers[0]?.phone ?? firm.phone}
          />
        ))}
      </ol>
    </Panel>
  );
}

function NoTasks({ conveyancingCase: { status } }: { conveyancingCase: ConveyancingCase }) {
  if (isClosed(status)) return null;
  return (
    <Panel look="wash" title="What we need from you">
      <p className={styles.noTasks}>
        {status === 'on_hold'
          ? 'There’s nothing for you to do here while your case is on hold.'
          : 'You don’t need to do anything at the moment. When there’s something to pay, read or sign, it appears here first.'}
      </p>
    </Panel>
  );
}

const isToPay = ({ kind }: Task) => kind === 'pay' || kind === 'pay_search' || kind === 'pay_bill';

interface TaskRowProps {
  task: Task;
  /** The payment that a client has started for it. */
  started: StartedPayment | null;
  /** Whether it is the first thing for this client to do. */
  isNext: boolean;
  /** How to pay it, if it is something to pay that cannot be paid online. */
  payOtherwise: string | null;
  phone: string;
}

function TaskRow(props: TaskRowProps) {
  const { task, started, payOtherwise } = props;
  const today = useToday();
  return (
    <li className={styles.task}>
      <div>
        <h3>{task.title}</h3>
        <p>
          {[task.explanation, signingSummary(task)].filter(Boolean).join(' ')}{' '}
          {task.due_on && (
            <strong className={styles.due}>
              {task.due_on < today ? 'Was due' : 'By'} {formatNearDay(task.due_on, today)}
            </strong>
          )}
        </p>
        {started && <p className={styles.started}>{started.text}</p>}
        {payOtherwise !== null && (
          <p>
            {task.amount !== null && <>{formatMoney(task.amount)} to pay. </>}
            {payOtherwise}
          </p>
        )}
      </div>
      <TaskButton {...props} />
    </li>
  );
}

function TaskButton({ task, started, isNext, payOtherwise, phone }: TaskRowProps) {
  const caseState = useCaseStore();
  const { kind, title, case_search_id, document_id, bill_id, matter_id, amount } = task;
  const isByCard = payOtherwise === null;
  const look = isNext ? 'primary' : 'quiet';
  if (isByCard && kind === 'pay_search' && case_search_id) {
    return (
      <Link
        to={started ? '/payment' : '/payment-details'}
        className={buttonClass({ look })}
        onClick={() => caseState.selectCaseSearch(case_search_id)}
      >
        {started ? started.action : amount === null ? 'Continue to payment' : `Pay ${formatMoney(amount)}`}
        {started && <VisuallyHidden>: {title}</VisuallyHidden>}
      </Link>
    );
  }
  if (isByCard && kind === 'pay_bill' && bill_id) {
    const isStarted = amount === null;
    return (
      <Link
        to={isStarted ? '/payments' : '/payment-other'}
        {...(isStarted ? {} : { query: { bill: bill_id } })}
        className={buttonClass({ look })}
      >
        {isStarted ? 'See its payment' : `Pay ${formatMoney(amount)}`}
        <VisuallyHidden>: {title}</VisuallyHidden>
      </Link>
    );
  }
  if (isByCard && kind === 'pay') {
    const query = {
      for: title,
      ...(amount === null ? {} : { amount }),
      ...(matter_id === null ? {} : { matter: matter_id }),
    };
    return (
      <Link to="/payment-other" query={query} className={buttonClass({ look })}>
        {amount === null ? 'Continue to payment' : `Pay ${formatMoney(amount)}`}
      </Link>
    );
  }
  if (document_id !== null && (kind === 'read_document' || kind === 'sign_document')) {
    return (
      <Link to={`/documents/${document_id}`} className={buttonClass({ look })}>
        {kind === 'read_document'
          ? 'Read it'
          : isSignedOnPaper(task.signing)
            ? 'See how to sign it'
            : 'Read and sign'}
      </Link>
    );
  }
  const href = telephoneHref(phone);
  if (href === null) return <p>Call {phone}</p>;
  return (
    <ButtonLink href={href} look={look}>
      Call {formatPhone(phone)}
    </ButtonLink>
  );
}
