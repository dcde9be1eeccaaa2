import type { ReactNode } from 'react';
import styles from './gallery.module.css';
import { controlSamples } from './samples/controls.tsx';
import { factorSamples } from './samples/factors.tsx';
import { messageSamples } from './samples/messages.tsx';

/** Components in their states. `id` is unique for each colour scheme, for the ids of fields. */
export type Samples = Record<string, (id: string) => ReactNode>;

const samples: Samples = { ...messageSamples, ...controlSamples, ...factorSamples };

/** Every component of the package in its states, in the light and the dark colour scheme. */
export function Gallery() {
  return (
    <main className={styles.schemes}>
      {(['light', 'dark'] as const).map((scheme) => (
        <section key={scheme} className={styles[scheme]}>
          <h1>{scheme === 'light' ? 'Light' : 'Dark'}</h1>
          {Object.entries(samples).map(([name, render]) => (
            <div key={name} className={styles.sample}>
              <h2>{name}</h2>
              {render(`${scheme}-${name.replaceAll(' ', '-').toLowerCase()}`)}
            </div>
          ))}
        </section>
      ))}
    </main>
  );
}
