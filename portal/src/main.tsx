/** The start of the portal in the browser. */
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiProblem } from './api/client.ts'
import { restorePageUrl } from './api/page-url.ts'
import { loadServerTexts } from './language/server-texts/translate.ts'
import { currentLanguage } from './language/texts.ts'
import { createPortalRouter } from './routes.tsx'
import { Toasts } from './ui/overlays/toast.tsx'
import './style.css'

const RETRIES_MAX = 2
const RATE_LIMITED = 429
const BUSY_MS = 8_000

/** Whether a retry may succeed: after a lost connection, a server failure, or too many requests. */
function isPassing(error: Error): boolean {
  if (!(error instanceof ApiProblem)) return true
  return error.status >= 500 || error.status === RATE_LIMITED
}

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Retries only temporary errors, because a refusal would be repeated.
      retry: (count, error) => count < RETRIES_MAX && isPassing(error),
      retryDelay: (count, error) =>
        error instanceof ApiProblem && error.status === RATE_LIMITED ? BUSY_MS : 500 * 2 ** count,
    },
  },
})

function render(): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no element #root.')
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <RouterProvider router={createPortalRouter(queries)} />
          <Toasts />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  )
}

restorePageUrl()
// Awaiting here would make the bundler split this file into ten.
void loadServerTexts(currentLanguage()).then(render)
