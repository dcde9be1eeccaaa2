import type { ReactNode } from 'react';

/** Components in their states. `id` is unique for each colour scheme, for the ids of fields. */
export type Samples = Record<string, (id: string) => ReactNode>;
