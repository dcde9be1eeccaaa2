export {
  type AuthAnswer,
  type AuthBody,
  authoriseChannel,
  authoriseUser,
  type ChannelDecision,
} from './broadcasting-auth.ts';
export { type ChannelKind, kindOfChannel, userChannel } from './channel-names.ts';
export {
  type ChannelRegistry,
  closeConnection,
  createChannelRegistry,
  dropConnection,
  hasRoomFor,
  openConnection,
  type RegistryOptions,
} from './channel-registry.ts';
export { type ClientReaction, clientReactionTo, closeCodes } from './close-codes.ts';
export { findConnectFault, isAllowedOrigin } from './connect-address.ts';
export type { CloseEffect, Effect, SendEffect, TellEffect } from './effects.ts';
export { answerHttpRequest, type HttpAnswer } from './http-api.ts';
export { checkHttpRequest, type HttpRequest, signHttpRequest } from './http-signatures.ts';
export { defaultLimits, type Limits } from './limits.ts';
export { checkLiveness, drain } from './liveness.ts';
export { type Publication, publish, publishHere } from './publish.ts';
export { noteSignOfLife, receive } from './receive.ts';
export { errorFrame } from './server-frames.ts';
export {
  forgetServer,
  hearServer,
  membersHere,
  readServerMessage,
  type ServerMessage,
  terminateUser,
} from './server-messages.ts';
export { type App, isChannelAuth, isUserAuth, signChannel, signUser } from './signatures.ts';
export { createSocketId, isSocketId } from './socket-ids.ts';
