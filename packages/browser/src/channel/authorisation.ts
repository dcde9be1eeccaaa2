/** A request to subscribe to a channel or, without a channel name, to sign in the user. */
export interface ChannelRequest {
  socket_id: string;
  channel_name?: string;
}

/** The server's signature of the request, with the data that it signed. */
export interface ChannelAnswer {
  auth: string;
  /** For a presence channel: the member, as JSON. */
  channel_data?: string;
  /** For a sign-in of the user, as JSON. */
  user_data?: string;
}

/**
 * Requests the authorisation of a subscription for the signed-in user of the page.
 * @throws Error if the server rejects it, cannot be reached, or sends an unexpected answer
 */
export type AuthoriseChannel = (path: string, request: ChannelRequest) => Promise<ChannelAnswer>;
