import { useEffect, useRef } from 'react';
import { defaultColour, type EnteredBrand } from './entered-brand.ts';
import styles from './firm-data.module.css';

/** Shows the colour and the logo as clients see them, in both themes. */
export function BrandPreview({ brand }: { brand: EnteredBrand }) {
  return (
    <div className={styles.previews}>
      <Preview theme="light" brand={brand} />
      <Preview theme="dark" brand={brand} />
    </div>
  );
}

function Preview({ theme, brand }: { theme: 'light' | 'dark'; brand: EnteredBrand }) {
  const box = useRef<HTMLElement>(null);
  const colour = brand.colour ?? defaultColour;
  useEffect(() => {
    // Set by script, because the content security policy allows no style attributes.
    box.current?.style.setProperty('--brand', colour);
  }, [colour]);
  return (
    <section className={styles.preview} data-theme={theme} ref={box}>
      <h2>What clients see, {theme} theme</h2>
      {brand.logo ? (
        <img
          className={styles.logo}
          src={brand.logo.url}
          width={brand.logo.width}
          height={brand.logo.height}
          alt="Your logo"
        />
      ) : (
        <p className={styles.brandText}>Your firm’s name</p>
      )}
      <p className={styles.sample}>Pay £184.80</p>
      <p className={styles.brandText}>See the next step</p>
    </section>
  );
}
