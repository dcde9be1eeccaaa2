/** Stores, outside the database, the highest number of comparisons that a server has seen in it. */
export interface HighWaterMark {
  /** @returns null if there is none for this installation */
  read(installationId: string): Promise<number | null>;
  write(installationId: string, rounds: number): Promise<void>;
}
