import { formatMoment } from '@keyturn/format/dates';
import { useToday } from '../hooks/use-today.ts';
import type { FactorKit } from './factor-kit.ts';

interface ListedFactor {
  id: string;
  kind: 'passkey' | 'authenticator';
  name: string;
  created_at: string;
  last_used_at: string | null;
}

interface FactorListProps<Factor> {
  kit: FactorKit;
  factors: readonly Factor[];
  /** The class names of the application’s lists. */
  styles: Readonly<Record<string, string>>;
  onOpen(opened: { kind: 'rename' | 'remove'; factor: Factor }): void;
}

/** The passkeys and authenticator apps of an account, to rename and remove. */
export function FactorList<Factor extends ListedFactor>({
  kit,
  factors,
  styles,
  onOpen,
}: FactorListProps<Factor>) {
  const today = useToday();
  return (
    <ul className={styles.list}>
      {factors.map((factor) => (
        <li key={factor.id} className={styles.entry}>
          <p className={styles.words}>
            <strong>{factor.name}</strong>
            <span>
              {factor.kind === 'passkey' ? 'Passkey' : 'Authenticator app'}, added{' '}
              {formatMoment(factor.created_at, today)},{' '}
              {factor.last_used_at ? `last used ${formatMoment(factor.last_used_at, today)}` : 'not used yet'}
            </span>
          </p>
          <div className={styles.actions}>
            <kit.Button
              look="plain"
              aria-label={`Rename ${factor.name}`}
              onClick={() => onOpen({ kind: 'rename', factor })}
            >
              Rename
            </kit.Button>
            <kit.Button
              look="plain"
              aria-label={`Remove ${factor.name}`}
              onClick={() => onOpen({ kind: 'remove', factor })}
            >
              Remove
            </kit.Button>
          </div>
        </li>
      ))}
    </ul>
  );
}
