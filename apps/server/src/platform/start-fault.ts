/**
 * A start that cannot go on, for a reason that whoever started it can mend. Its message is one line that says
 * what to do; it is printed without a stack.
 */
export class StartFault extends Error {
  override name = 'StartFault';
}
