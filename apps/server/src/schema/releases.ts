export interface Release {
  version: string;
  /** The number of its last migration. */
  lastMigration: number;
  /** The commit from which a test builds it: part of the history that everyone has. */
  commit: string;
}

/** The releases, oldest first. A migration may only remove what a release in this list no longer uses. */
export const releases: readonly Release[] = [
  { version: '0.2.0', lastMigration: 1, commit: '006da4817b198ebbe6a1948706f44d84f16c512f' },
];
