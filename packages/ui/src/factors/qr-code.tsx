import { encode } from 'uqr';
import styles from './factors.module.css';

/** A QR code, dark on light in both themes, because cameras do not read it otherwise. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      shapeRendering="crispEdges"
      aria-label={label}
    >
      <path d={path} />
    </svg>
  );
}
