import type { Environment, SettingReader } from './setting-reader.ts';

/** The keys of one account at Stripe. */
export interface StripeKeys {
  secretKey: string;
  publishableKey: string;
  webhookSecrets: string[];
  /** The id of the account, for a key that may not read it; null: the key may. */
  accountId: string | null;
}

export interface StripeSettings {
  client: StripeKeys;
  /** Null: the firm has one account at Stripe, which receives all money. */
  business: StripeKeys | null;
  /** A simulator's address; null: Stripe itself. */
  apiBase: string | null;
  /** The text of the file with which Apple verifies the dashboard's domain; null: no Apple Pay. */
  applePayDomainAssociation: string | null;
}

/**
 * Reads the settings for Stripe. Messages never repeat a value: people paste keys into the wrong setting.
 * @returns null if Stripe is not the provider and has no secret key
 */
export function readStripe(
  reader: SettingReader,
  environment: Environment,
  provider: 'sandbox' | 'stripe',
): StripeSettings | null {
  const apiBase = reader.optional('KEYTURN_STRIPE_API_BASE');
  const applePayDomainAssociation = reader.optionalText('KEYTURN_APPLE_PAY_DOMAIN_ASSOCIATION', {
    expected:
      'the text of the file that Stripe offers for download: 20 to 20,000 letters, digits and + / = _ -',
    pattern: /^[\w+/=-]{20,20000}$/,
  });
  const acceptsFullKeys = reader.isOn('KEYTURN_STRIPE_FULL_KEYS', 'off');
  const client = readKeys(reader, clientPrefix);
  const business = readKeys(reader, businessPrefix);
  const hasBusiness = Object.values(business).some((value) => value !== null && value.length > 0);
  if (provider !== 'stripe' && client.secretKey === '') {
    if (hasBusiness) reader.report(`${businessPrefix}_… needs ${clientPrefix}_SECRET_KEY`);
    return null;
  }
  const rules = { environment, acceptsFullKeys };
  checkKeys(client, clientPrefix, rules, reader);
  if (hasBusiness) {
    checkKeys(business, businessPrefix, rules, reader);
    checkAccountsDiffer(client, business, reader);
  }
  checkApiBase(apiBase, environment, reader);
  return { client, business: hasBusiness ? business : null, apiBase, applePayDomainAssociation };
}

const clientPrefix = 'KEYTURN_STRIPE';
const businessPrefix = 'KEYTURN_STRIPE_BUSINESS';

const readKeys = (reader: SettingReader, prefix: string): StripeKeys => ({
  secretKey: reader.secret(`${prefix}_SECRET_KEY`) ?? '',
  publishableKey: reader.optional(`${prefix}_PUBLISHABLE_KEY`) ?? '',
  webhookSecrets: reader.secretList(`${prefix}_WEBHOOK_SECRETS`),
  accountId: reader.optional(`${prefix}_ACCOUNT_ID`),
});

function checkKeys(
  { secretKey, publishableKey, webhookSecrets, accountId }: StripeKeys,
  prefix: string,
  { environment, acceptsFullKeys }: { environment: Environment; acceptsFullKeys: boolean },
  { report, warn }: SettingReader,
): void {
  const mode = environment === 'production' ? 'live' : 'test';
  const reason = 'production accepts only live keys, any other environment only test keys';
  if (!new RegExp(`^(sk|rk)_${mode}_[A-Za-z0-9_]+$`).test(secretKey)) {
    report(`${prefix}_SECRET_KEY must be a key like rk_${mode}_… or sk_${mode}_…: ${reason}`);
  } else if (secretKey.startsWith('sk_live_')) {
    if (acceptsFullKeys) warn(`${prefix}_SECRET_KEY is a full key: replace it with a restricted key`);
    else report(`${prefix}_SECRET_KEY must be ${restrictedKey}`);
  }
  if (!new RegExp(`^pk_${mode}_[A-Za-z0-9_]+$`).test(publishableKey)) {
    report(`${prefix}_PUBLISHABLE_KEY must be a key like pk_${mode}_…: ${reason}`);
  }
  if (webhookSecrets.length === 0 || !webhookSecrets.every((secret) => /^whsec_[\w+/=]+$/.test(secret))) {
    report(`${prefix}_WEBHOOK_SECRETS must be one or more secrets like whsec_…, separated by commas`);
  }
  if (accountId !== null && !/^acct_[A-Za-z0-9]+$/.test(accountId)) {
    report(`${prefix}_ACCOUNT_ID must be the id of the account, like acct_1ABC`);
  }
}

/** Someone who steals a restricted key can do only what Keyturn does. */
const restrictedKey =
  'a restricted key (rk_live_…), not a full one (sk_live_…): create one at Stripe that may write payment intents and refunds, and read the account, charges, the balance, balance transactions, payouts, payment methods, disputes, Radar’s early fraud warnings and reviews; or accept full keys with KEYTURN_STRIPE_FULL_KEYS=on';

/** With a key of the other account, money would go to the wrong bank account, or a card form would not open. */
function checkAccountsDiffer(client: StripeKeys, business: StripeKeys, { report }: SettingReader): void {
  const same = (name: string) => report(`${businessPrefix}_${name} must differ from ${clientPrefix}_${name}`);
  if (client.secretKey === business.secretKey) same('SECRET_KEY');
  if (client.publishableKey === business.publishableKey) same('PUBLISHABLE_KEY');
  if (client.webhookSecrets.some((secret) => business.webhookSecrets.includes(secret))) {
    same('WEBHOOK_SECRETS');
  }
}

function checkApiBase(
  apiBase: string | null,
  environment: Environment,
  { report }: Pick<SettingReader, 'report'>,
): void {
  if (apiBase !== null && environment === 'production') {
    report('KEYTURN_STRIPE_API_BASE must not be set in production');
  } else if (apiBase !== null && !(URL.canParse(apiBase) && /^https?:\/\/[\w.-]+(:\d+)?$/.test(apiBase))) {
    report('KEYTURN_STRIPE_API_BASE must be an address like http://127.0.0.1:12111');
  }
}
