export interface Release {
  version: string;
  /** The number of its last migration. */
  lastMigration: number;
  /** The commit from which a test builds it: part of the history that everyone has. */
  commit: string;
}

/** The releases, oldest first. A migration may only remove what a release in this list no longer uses. */
export const releases: readonly Release[] = [
  { version: '0.2.0', lastMigration: 1, commit: '92e23c2b08823666a3737ece1a0f2632b4e3768a' },
];
