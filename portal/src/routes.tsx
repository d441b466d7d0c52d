/** The routes of the portal: each path and its page. */
import { useQuery, type QueryClient } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  retainSearchParams,
} from '@tanstack/react-router'
import type { Mode } from './api/client.ts'
import { ConfirmIdentity } from './api/confirm-identity.tsx'
import { meQuery, projectsQuery } from './api/session.ts'
import { pages } from './pages.ts'
import { NotFound } from './shell/not-found.tsx'
import { PageError } from './shell/page-error.tsx'
import { ProjectShell } from './shell/project-shell.tsx'

function Root() {
  const { data: me } = useQuery(meQuery)
  if (me?.terms) return <TermsPage terms={me.terms} />
  return (
    <>
      <Outlet />
      <ConfirmIdentity />
    </>
  )
}

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: PageError,
})

const TermsPage = lazyRouteComponent(() => import('./areas/terms/terms-page.tsx'), 'TermsPage')

const projectsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./areas/projects/projects-page.tsx'), 'ProjectsPage'),
})

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./areas/account/account-page.tsx'), 'AccountPage'),
})

export interface ProjectSearch {
  /** Without it, the mode that was last chosen, or live once a part of the project is live. */
  mode?: Mode
  /** The record whose drawer is open. */
  open?: string
  /** The number that a test call is made to. */
  number?: string
  /** The top-up whose payment page the person left. */
  top_up?: string
  /** The plan to change to, on the plan page or after a top-up. */
  upgrade?: string
}

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$project_id',
  component: ProjectShell,
  validateSearch: ({
    mode,
    open,
    number,
    top_up,
    upgrade,
  }: Record<string, unknown>): ProjectSearch => ({
    ...((mode === 'test' || mode === 'live') && { mode }),
    ...(typeof open === 'string' && { open }),
    ...(typeof number === 'string' && { number }),
    ...(typeof top_up === 'string' && { top_up }),
    ...(typeof upgrade === 'string' && { upgrade }),
  }),
  search: { middlewares: [retainSearchParams(['mode'])] },
})

const pageRoutes = pages
  .flatMap(({ path, load, detail }) => [
    { path, load },
    ...(detail === undefined ? [] : [{ path: path + detail.path, load: detail.load }]),
  ])
  .map(({ path, load }) =>
    createRoute({
      getParentRoute: () => projectRoute,
      path,
      component: lazyRouteComponent(load, 'Page'),
    }),
  )

const operatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator',
  component: lazyRouteComponent(
    () => import('./areas/operator/operator-shell.tsx'),
    'OperatorShell',
  ),
})

const operatorPages = [
  { path: '/', load: () => import('./areas/operator/overview-page.tsx') },
  { path: '/incidents', load: () => import('./areas/operator/incidents/incidents-page.tsx') },
  { path: '/projects', load: () => import('./areas/operator/projects-page.tsx') },
  { path: '/reviews', load: () => import('./areas/operator/reviews-page.tsx') },
  {
    path: '/verifications',
    load: () => import('./areas/operator/verifications/verifications-page.tsx'),
  },
  { path: '/invitations', load: () => import('./areas/operator/invitations-page.tsx') },
  { path: '/alerts', load: () => import('./areas/operator/alerts/alerts-page.tsx') },
  { path: '/backups', load: () => import('./areas/operator/backups/backups-page.tsx') },
  { path: '/acts', load: () => import('./areas/operator/acts-page.tsx') },
].map(({ path, load }) =>
  createRoute({
    getParentRoute: () => operatorRoute,
    path,
    component: lazyRouteComponent(load, 'Page'),
  }),
)

const routeTree = rootRoute.addChildren([
  projectsRoute,
  accountRoute,
  projectRoute.addChildren(pageRoutes),
  operatorRoute.addChildren(operatorPages),
])

export function createPortalRouter(queries: QueryClient) {
  void queries.prefetchQuery(meQuery)
  void queries.prefetchQuery(projectsQuery)
  return createRouter({
    routeTree,
    basepath: '/portal/app',
    defaultPreload: 'intent',
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
    defaultPendingMs: 200,
  })
}
