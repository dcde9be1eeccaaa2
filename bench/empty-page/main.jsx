import { useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { Link, Route, Router, Switch } from 'wouter';

/* The least that a dashboard of React and wouter can be: what bench/web.mjs and bench/lighthouse.mjs measure ours against. */

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

createRoot(document.getElementById('root')).render(
  <Router>
    <Switch>
      <Route path="/login" component={Page} />
      <Route>
        <Link to="/login">Go to the page</Link>
      </Route>
    </Switch>
  </Router>,
);
