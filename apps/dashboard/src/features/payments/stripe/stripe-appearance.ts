import type { Appearance } from '@stripe/stripe-js';
import { readTokenColours } from '../../../ui/theme/token-colours.ts';

/** Makes the Payment Element look like our own fields. It is in Stripe's frame, so our style sheets do not reach it. */
export function stripeAppearance(): Appearance {
  const colour = readTokenColours(['raised', 'ink', 'ink-soft', 'line-strong', 'danger', 'focus']);
  return {
    theme: 'stripe',
    labels: 'above',
    disableAnimations: matchMedia('(prefers-reduced-motion: reduce)').matches,
    variables: {
      // The frame may not load fonts from our host.
      fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
      fontSizeBase: '17px',
      fontSizeSm: '15px',
      fontLineHeight: '1.55',
      borderRadius: '10px',
      gridRowSpacing: '24px',
      gridColumnSpacing: '16px',
      colorPrimary: colour.focus,
      colorBackground: colour.raised,
      colorText: colour.ink,
      colorTextSecondary: colour['ink-soft'],
      colorTextPlaceholder: colour['ink-soft'],
      colorDanger: colour.danger,
    },
    rules: {
      '.Label': { color: colour.ink, fontSize: '17px', fontWeight: '600', marginBottom: '8px' },
      '.Input': { padding: '14px 16px', border: `1.5px solid ${colour['line-strong']}`, boxShadow: 'none' },
      '.Input:focus': { outline: `3px solid ${colour.focus}`, boxShadow: 'none' },
      '.Input--invalid': { border: `2px solid ${colour.danger}`, boxShadow: 'none' },
      '.Error': { fontSize: '15px', fontWeight: '600' },
    },
  };
}
