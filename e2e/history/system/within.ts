/**
 * Limits a wait, with an error that names the work, so that a history that hangs fails with its cause. @param seconds
 * how long the work may take on a busy machine
 */
export async function within<Result>(
  seconds: number,
  what: string,
  work: Promise<Result>,
  describe: () => Promise<string> | string = () => '',
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, fail) => {
    const giveUp = async () => {
      const details = await describe();
      fail(new Error(`${what} took longer than ${seconds} seconds${details && `: ${details}`}`));
    };
    timer = setTimeout(() => void giveUp().catch(fail), seconds * 1_000);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
