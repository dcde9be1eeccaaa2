// Runs before the first paint, while the desk itself is still loading.
(() => {
  try {
    const theme = localStorage.getItem('keyturn-desk.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is blocked. The page follows the system.
  }

  // Only this script can tell the member that the desk itself failed to load.
  const showFailure = () => {
    const message = document.createElement('p');
    message.className = 'not-loaded';
    message.setAttribute('role', 'alert');
    const reload = document.createElement('a');
    reload.href = '';
    reload.textContent = 'reload the page';
    message.append('The desk could not be loaded. Check your connection and ', reload, '.');
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
})();
