import { Alert } from '@keyturn/ui/base/alert.tsx';
import { ErrorBoundary } from '@keyturn/ui/states/error-boundary.tsx';
import { type ComponentType, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { useMember } from '../../api/desk-api.ts';
import { roleNames } from '../../api/role-names.ts';
import { Button, LinkButton } from '../../ui/base/button.tsx';
import { PageHead } from '../../ui/base/page.tsx';
import { PageSkeleton } from '../frame/page-skeleton.tsx';
import { SettingsFrame } from '../frame/settings-frame.tsx';
import { lazyPage, PageNotLoaded } from './lazy-page.tsx';
import {
  type DeskRoute,
  isPermitted,
  isWithin,
  type PageParams,
  routes,
  settingsFor,
  startPathFor,
} from './routes.ts';

const pages = new Map<DeskRoute, ComponentType<{ params: PageParams }>>(
  routes.map((route) => [route, lazyPage(route.load)]),
);

/** The page of the current address. */
export function Pages() {
  const { role } = useMember();
  const start = startPathFor(role);
  const [settings] = settingsFor(role);
  return (
    <Switch>
      {routes.map((route) => (
        <Route key={route.path} path={route.path}>
          {(params) => (
            <Page key={subjectOf(route, params as PageParams)} route={route} params={params as PageParams} />
          )}
        </Route>
      ))}
      {start !== '/' && (
        <Route path="/">
          <Redirect to={start} replace />
        </Route>
      )}
      {settings && (
        <Route path="/settings">
          <Redirect to={settings.path} replace />
        </Route>
      )}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

/** Identifies the subject of a page, whose state is reset when it changes. */
const subjectOf = ({ part }: DeskRoute, params: PageParams): string =>
  JSON.stringify(Object.entries(params).filter(([name]) => name !== part));

function Page({ route, params }: { route: DeskRoute; params: PageParams }) {
  const { role } = useMember();
  const Content = pages.get(route);
  if (!Content || !isPermitted(route, role)) return <NotPermitted route={route} />;
  const page = (
    <ErrorBoundary fallback={(error) => <FailedPage error={error} />}>
      <Suspense fallback={<PageSkeleton />}>
        <Content params={params} />
      </Suspense>
    </ErrorBoundary>
  );
  return isWithin(route.path, '/settings') ? <SettingsFrame>{page}</SettingsFrame> : page;
}

function NotPermitted({ route }: { route: DeskRoute }) {
  const { role } = useMember();
  const roles = route.access === 'everyone' ? [] : route.access;
  return (
    <>
      <PageHead title={`${route.name} is not part of your role`}>
        <p>
          Your role is “{roleNames[role]}”. This page is for{' '}
          {roles.map((other) => `“${roleNames[other]}”`).join(' and ')}. If you need it, ask an admin of your
          firm to change your role.
        </p>
      </PageHead>
      <LinkButton to={startPathFor(role)}>Back to the desk</LinkButton>
    </>
  );
}

function NotFound() {
  const { role } = useMember();
  return (
    <>
      <PageHead title="There is no such page">
        <p>Check the address, or start from the navigation.</p>
      </PageHead>
      <LinkButton to={startPathFor(role)}>Back to the desk</LinkButton>
    </>
  );
}

/** Replaces a page that could not be loaded or has failed. */
export function FailedPage({ error }: { error: unknown }) {
  const isNotLoaded = error instanceof PageNotLoaded;
  return (
    <>
      <PageHead title={isNotLoaded ? 'This page could not be loaded' : 'Something went wrong on this page'} />
      <Alert
        tone="attention"
        takesFocus
        action={
          <Button look="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        <p>
          {isNotLoaded
            ? 'The desk may have been updated, or the connection was lost. Nothing you saved is lost. Check your connection, then reload.'
            : 'Nothing you saved is lost. Reload the page and try again.'}
        </p>
      </Alert>
    </>
  );
}
