// Before the first paint, and before the dashboard itself is there.
(() => {
  const { documentElement: html } = document;
  const attempt = (work) => {
    try {
      return work();
    } catch {
      // Storage is closed to us, or holds something else.
      return undefined;
    }
  };

  // A theme that the reader has chosen here. Anything else follows the system.
  const theme = attempt(() => localStorage.getItem('keyturn.theme'));
  if (theme === 'light' || theme === 'dark') html.dataset.theme = theme;

  const config = attempt(() => JSON.parse(document.getElementById('keyturn-config').textContent));
  const isSignedIn =
    attempt(() => {
      const { storage, options } = config.persisted_state;
      const name = `${options.prefix}auth`;
      const cookie = () => document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`));
      const text =
        storage === 'cookie'
          ? decodeURIComponent(cookie().slice(name.length + 1))
          : (storage === 'session' ? sessionStorage : localStorage).getItem(name);
      const { obtained_at, expires_in } = JSON.parse(text).value;
      return obtained_at + expires_in * 1000 > Date.now();
    }) === true;

  // The page comes ready to be read. Whom it is not for is led on, and does not get to see it on the way.
  const { pathname, search, hash } = location;
  const isOpen = attempt(() => config.maintenance.general === null) === true;
  if (isOpen && pathname === (isSignedIn ? '/login' : '/')) {
    html.dataset.leaving = '';
    // To sign-in while the dashboard is still on its way.
    if (!isSignedIn && search === '' && hash === '') location.replace('/login');
    // A sign-in that was taken for a whole one.
    if (isSignedIn) setTimeout(() => delete html.dataset.leaving, 5000);
  }

  // The dashboard itself did not arrive: nothing else could say so.
  const say = () => {
    const words = document.createElement('p');
    words.className = 'not-loaded';
    words.setAttribute('role', 'alert');
    const again = document.createElement('a');
    again.href = '';
    again.textContent = 'Load it again';
    words.append(
      'This page could not be loaded. Check your connection. ',
      again,
      ', or call your conveyancer on the number that you already know.',
    );
    document.body.prepend(words);
  };
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target.type !== 'module' || document.querySelector('.not-loaded')) return;
      if (document.body) say();
      else document.addEventListener('DOMContentLoaded', say);
    },
    true,
  );

  // A form that is sent before the dashboard is there is kept for it: see features/sign-in/sign-in-screen/take-over-form.ts.
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!document.querySelector('#root[data-page]') || 'taken' in form.dataset) return;
    event.preventDefault();
    form.dataset.pressed = '';
    form.ariaBusy = 'true';
  });
})();
