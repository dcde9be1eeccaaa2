import styles from './gallery.module.css';
import { controlSamples } from './samples/controls.tsx';
import { factorSamples } from './samples/factors.tsx';
import { messageSamples } from './samples/messages.tsx';
import type { Samples } from './samples/samples.ts';

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
