/** Which targets outgoing webhooks may have. */
export interface WebhookTargetRules {
  /** Allows addresses outside the public internet. */
  allowsPrivate: boolean;
  /** Allows `http`, without encryption. */
  allowsHttp: boolean;
}
