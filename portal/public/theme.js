// Applies the chosen theme before the first paint. It is a file, because the policy of the page
// refuses scripts inside it.
try {
  const chosen = localStorage.getItem('homeport.theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // Storage is blocked: the page follows the system.
}
