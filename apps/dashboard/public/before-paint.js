// Runs before the first paint, while the dashboard itself is still loading.
(() => {
  const { documentElement: html } = document;
  const attempt = (work) => {
    try {
      return work();
    } catch {
      // Storage is blocked or contains an unexpected value.
      return undefined;
    }
  };

  // Apply the theme that the client chose here. Without one, the page follows the system.
  const theme = attempt(() => localStorage.getItem('keyturn.theme'));
  if (theme === 'light' || theme === 'dark') html.dataset.theme = theme;

  const config = attempt(() => JSON.parse(document.getElementById('keyturn-config').textContent));
  const auth = attempt(() => {
    const { storage, options } = config.persisted_state;
    const name = `${options.prefix}auth`;
    const cookie = () => document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`));
    const text =
      storage === 'cookie'
        ? decodeURIComponent(cookie().slice(name.length + 1))
        : (storage === 'session' ? sessionStorage : localStorage).getItem(name);
    return JSON.parse(text).value;
  });
  const isSignedIn =
    attempt(() => 'access_token' in auth && auth.obtained_at + auth.expires_in * 1000 > Date.now()) === true;

  // The page is prerendered. Hide it from a client who is about to be redirected to another page.
  const { pathname, search, hash } = location;
  const isOpen = attempt(() => config.maintenance.general === null) === true;
  if (isOpen && pathname === (isSignedIn ? '/login' : '/')) {
    html.dataset.leaving = '';
    // Redirect to sign-in without waiting for the dashboard to load.
    if (!isSignedIn && search === '' && hash === '') location.replace('/login');
    // The stored sign-in may turn out to be invalid, so do not hide the page for ever.
    if (isSignedIn) setTimeout(() => delete html.dataset.leaving, 5000);
  }

  // Request the data of the home page while its code is loading: see api/client/early-answers.ts.
  if (isOpen && isSignedIn && pathname === '/')
    attempt(() => {
      const credential = `${auth.token_type} ${auth.access_token}`;
      const request = (path) => {
        const url = config.api_base_url + path;
        const answer = fetch(url, {
          headers: { Accept: 'application/json', Authorization: credential },
          signal: AbortSignal.timeout(20_000),
          credentials: 'same-origin',
          cache: 'no-store',
          redirect: 'error',
        });
        // The dashboard repeats a request that failed.
        answer.catch(() => undefined);
        return [url, answer];
      };
      const history = config.maintenance.case_history ? [] : ['/case-history?limit=5'];
      const paths = ['/client', '/case-searches', '/milestones', ...history];
      window.keyturnEarlyRequests = {
        credential,
        sentAt: Date.now(),
        answers: Object.fromEntries(paths.map(request)),
      };
    });

  // Only this script can tell the client that the dashboard itself failed to load.
  const showFailure = () => {
    const message = document.createElement('p');
    message.className = 'not-loaded';
    message.setAttribute('role', 'alert');
    const reload = document.createElement('a');
    reload.href = '';
    reload.textContent = 'reload the page';
    message.append('We couldn’t load this page. Check your connection and ', reload);
    const firm = attempt(() => config.firm);
    if (firm) {
      const call = document.createElement('a');
      call.href = `tel:${firm.phone.replace(/[^\d+]/g, '')}`;
      call.textContent = firm.phone;
      message.append(', or call us on ', call, `: ${firm.opening_hours}.`);
    } else message.append(', or call your conveyancer on a number you already have.');
    document.body.prepend(message);
  };
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target.type !== 'module' || document.querySelector('.not-loaded')) return;
      if (document.body) showFailure();
      else document.addEventListener('DOMContentLoaded', showFailure);
    },
    true,
  );

  // Hold back a form that is submitted before the dashboard has loaded: see features/sign-in/sign-in-screen/take-over-form.ts.
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!document.querySelector('#root[data-page]') || 'taken' in form.dataset) return;
    event.preventDefault();
    form.dataset.pressed = '';
    form.ariaBusy = 'true';
  });
})();
