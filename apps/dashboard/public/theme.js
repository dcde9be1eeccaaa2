// Before the first paint: a theme that the reader has chosen here. Anything else follows the system.
(() => {
  try {
    const theme = localStorage.getItem('keyturn.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is closed to us: the system decides.
  }
})();
