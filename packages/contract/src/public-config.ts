import { type Static, Type } from 'typebox';
import { Firm, Nullable, OneOf } from './entities.ts';
import { paymentProviders } from './vocabulary.ts';

/**
 * What the server tells every browser, inside the page, so that one build serves every environment. It holds
 * no secret. The page carries it as JSON in `<script type="application/json" id="keyturn-config">`.
 */
export const PublicConfig = Type.Object({
  product_name: Type.String(),
  environment: Type.String(),
  /** Where the client API is: a path of this origin, or another origin. */
  api_base_url: Type.String(),
  firm: Nullable(Firm),
  persisted_state: Type.Object({ storage: OneOf(['local', 'session', 'cookie']) }),
  payments: Type.Object({ provider: OneOf(paymentProviders), publishable_key: Type.String() }),
  /** The demonstration firm is loaded: sign-in may say how to get in. */
  demonstration: Type.Boolean(),
});
export type PublicConfig = Static<typeof PublicConfig>;
