import { useMemo } from 'react';
import { createSandboxProvider, type SandboxProvider } from '../../../api/payments/sandbox-provider.ts';
import { useServices } from '../../../api/services/services.ts';

/** The embedded provider, for the parts of the page that play the provider's role. */
export function useSandbox(): SandboxProvider {
  const { api_base_url } = useServices().config;
  return useMemo(() => createSandboxProvider(api_base_url), [api_base_url]);
}
