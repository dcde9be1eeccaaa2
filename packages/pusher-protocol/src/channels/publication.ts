/** An event for all subscribers of one or more channels. */
export interface Publication {
  channels: readonly string[];
  event: string;
  /** What subscribers receive: usually JSON text. */
  data: string;
  /** Socket id of the client that caused the event: it does not receive it, whichever server it is connected to. */
  except?: string | null;
  /** The sender of a client event on a presence channel. */
  userId?: string | null;
}
