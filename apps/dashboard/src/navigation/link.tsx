import type { ComponentProps } from 'react';
import { Link as WouterLink } from 'wouter';
import { usePathname } from './navigation.tsx';
import { type Path, type Query, withQuery } from './paths.ts';
import type { PlaceState } from './places.ts';

export interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: Path;
  query?: Query;
  replace?: boolean;
  state?: PlaceState;
}

/** A link to a screen. Marked as current on that screen. */
export function Link({ to, query, className, ...props }: LinkProps) {
  const isCurrent = usePathname() === to;
  return (
    <WouterLink
      {...(className === undefined ? {} : { className })}
      {...(isCurrent ? { 'aria-current': 'page' } : {})}
      {...props}
      to={withQuery(to, query)}
    />
  );
}
