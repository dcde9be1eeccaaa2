export {
  type AuthRequestBody,
  type AuthResponse,
  authoriseChannel,
  authoriseUser,
  type ChannelDecision,
} from './auth/auth-endpoints.ts';
export {
  type App,
  isValidChannelAuth,
  isValidUserAuth,
  signChannel,
  signUser,
} from './auth/signatures.ts';
export { type ChannelKind, classifyChannel, userChannel } from './channels/channel-names.ts';
export type { Publication } from './channels/publication.ts';
export { publish, publishLocally } from './channels/publish.ts';
export { type ClientReaction, clientReactionTo, closeCodes } from './connection/close-codes.ts';
export { findConnectError, isAllowedOrigin } from './connection/connect-url.ts';
export { checkLiveness, drainConnections } from './connection/liveness.ts';
export {
  closeConnection,
  hasCapacityFor,
  openConnection,
  removeConnection,
} from './connection/open-and-close.ts';
export { createSocketId, isSocketId } from './connection/socket-ids.ts';
export type {
  CloseEffect,
  Effect,
  NotifyServersEffect,
  OccupancyEffect,
  RequestStateEffect,
  SendEffect,
} from './effects.ts';
export { type HttpApiResponse, handleHttpApiRequest } from './http-api/http-api.ts';
export { type HttpApiRequest, signHttpRequest, verifyHttpRequest } from './http-api/request-signatures.ts';
export { defaultLimits, type Limits } from './limits.ts';
export { receiveControlFrame, receiveMessage } from './messages/receive.ts';
export { errorFrame } from './messages/server-frames.ts';
export { type ChannelRegistry, createChannelRegistry, type RegistryOptions } from './registry.ts';
export {
  announceWholeState,
  createHeartbeat,
  hasUnannouncedMembers,
  takeAnnouncement,
} from './servers/announce.ts';
export { handleServerMessage, removeServer } from './servers/handle-server-message.ts';
export { readServerMessage, type ServerMessage } from './servers/server-messages.ts';
export { terminateUser } from './servers/terminate-user.ts';
