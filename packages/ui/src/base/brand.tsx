import { splitFirmName } from '@keyturn/format/firm-name';
import styles from './brand.module.css';
import { classNames } from './class-names.ts';

/**
 * The firm's name next to a key, with the kind of firm in smaller letters. A firm's own logo replaces the key: its style
 * sheet refers to the class, see apps/server/src/doors/client/serve-firm-files.ts.
 */
export function Brand({ name, large = false }: { name: string; large?: boolean }) {
  const { first, kind } = splitFirmName(name);
  return (
    <span className={classNames('firm-brand', large && styles.large)}>
      <svg width={large ? 30 : 26} height={large ? 30 : 26} viewBox="0 0 26 26" aria-hidden="true">
        <g fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round">
          <circle cx="13" cy="8" r="5.6" />
          <path d="M13 13.6V24M13 18.6h4M13 22.6h3" />
        </g>
      </svg>
      <span className={styles.name}>
        {first}
        {kind && (
          <>
            {' '}
            <small>{kind}</small>
          </>
        )}
      </span>
    </span>
  );
}
