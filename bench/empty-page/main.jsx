import { createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';

/* The least that a dashboard of React and TanStack Router can be: what bench/web.mjs measures ours against. */

const rootRoute = createRootRoute();
const routeTree = rootRoute.addChildren([
  createRoute({ getParentRoute: () => rootRoute, path: '/login', component: Page }),
]);

function Page() {
  const form = useRef(null);
  useEffect(() => {
    form.current.dataset.taken = '';
  }, []);
  return (
    <form ref={form} onSubmit={(event) => event.preventDefault()}>
      <h1>An empty page</h1>
      <p>A heading, some words, a field and a button, and nothing else on this page at all.</p>
      <input aria-label="Field" />
      <button type="submit">Press</button>
    </form>
  );
}

createRoot(document.getElementById('root')).render(<RouterProvider router={createRouter({ routeTree })} />);
