export {
  type AuthRequestBody,
  type AuthResponse,
  authoriseChannel,
  authoriseUser,
  type ChannelDecision,
} from './auth/auth-endpoints.ts';
export { type App, isValidChannelAuth, isValidUserAuth, signChannel, signUser } from './auth/signatures.ts';
export { type ChannelKind, classifyChannel, userChannel } from './channels/channel-names.ts';
export { type Publication, publish, publishLocally } from './channels/publish.ts';
export { type ClientReaction, clientReactionTo, closeCodes } from './connection/close-codes.ts';
export { findConnectError, isAllowedOrigin } from './connection/connect-url.ts';
export { checkLiveness, drainConnections } from './connection/liveness.ts';
export { createSocketId, isSocketId } from './connection/socket-ids.ts';
export type { CloseEffect, Effect, NotifyServersEffect, SendEffect } from './effects.ts';
export { type HttpApiResponse, handleHttpApiRequest } from './http-api/http-api.ts';
export { type HttpApiRequest, signHttpRequest, verifyHttpRequest } from './http-api/request-signatures.ts';
export { defaultLimits, type Limits } from './limits.ts';
export { receiveMessage, recordActivity } from './messages/receive.ts';
export { errorFrame } from './messages/server-frames.ts';
export {
  type ChannelRegistry,
  closeConnection,
  createChannelRegistry,
  hasCapacityFor,
  openConnection,
  type RegistryOptions,
  removeConnection,
} from './registry.ts';
export {
  handleServerMessage,
  listLocalMembers,
  readServerMessage,
  removeServer,
  type ServerMessage,
  terminateUser,
} from './servers/server-messages.ts';
