import { createContext, useContext } from 'react';

/**
 * Makes a call, and asks the client to confirm who they are if it needs that. The call is then repeated.
 * @throws the error of the call; `identity_not_confirmed` if the client cancels
 */
export type WithConfirmation = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Without a provider, such as in a preview by staff, no one is asked. */
export const ConfirmationContext = createContext<WithConfirmation>((work) => work());

/** Returns the function that makes calls which may need a confirmation of the client’s identity. */
export const useConfirmation = (): WithConfirmation => useContext(ConfirmationContext);
