export {
  type AuthAnswer,
  type AuthBody,
  authoriseChannel,
  authoriseUser,
  type ChannelDecision,
} from './auth/auth-endpoints.ts';
export { type App, isChannelAuth, isUserAuth, signChannel, signUser } from './auth/signatures.ts';
export { type ChannelKind, kindOfChannel, userChannel } from './channels/channel-names.ts';
export { type Publication, publish, publishHere } from './channels/publish.ts';
export { type ClientReaction, clientReactionTo, closeCodes } from './connection/close-codes.ts';
export { findConnectFault, isAllowedOrigin } from './connection/connect-url.ts';
export { checkLiveness, drain } from './connection/liveness.ts';
export { createSocketId, isSocketId } from './connection/socket-ids.ts';
export type { CloseEffect, Effect, SendEffect, TellEffect } from './effects.ts';
export { answerHttpRequest, type HttpAnswer } from './http-api/http-api.ts';
export { checkHttpRequest, type HttpRequest, signHttpRequest } from './http-api/request-signatures.ts';
export { defaultLimits, type Limits } from './limits.ts';
export { noteSignOfLife, receive } from './messages/receive.ts';
export { errorFrame } from './messages/server-frames.ts';
export {
  type ChannelRegistry,
  closeConnection,
  createChannelRegistry,
  dropConnection,
  hasRoomFor,
  openConnection,
  type RegistryOptions,
} from './registry.ts';
export {
  forgetServer,
  hearServer,
  membersHere,
  readServerMessage,
  type ServerMessage,
  terminateUser,
} from './servers/server-messages.ts';
