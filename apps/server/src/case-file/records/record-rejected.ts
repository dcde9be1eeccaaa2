/** Thrown for a rejected record; the message is the reason. */
export class RecordRejected extends Error {
  override name = 'RecordRejected';
  /** Path of the field within the record, for example `/price/net`. */
  readonly field: string;

  constructor(field: string, reason: string) {
    super(reason);
    this.field = field;
  }
}
