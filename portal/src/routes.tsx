/** The routes of the portal: each path and its page. */
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  retainSearchParams,
} from '@tanstack/react-router'
import { ConfirmIdentity } from './api/confirm-identity.tsx'
import { meQuery, projectsQuery } from './api/session.ts'
import { pages } from './pages.ts'
import { NotFound } from './shell/not-found.tsx'
import { PageError } from './shell/page-error.tsx'
import { ProjectShell } from './shell/project-shell.tsx'

const rootRoute = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <ConfirmIdentity />
    </>
  ),
  notFoundComponent: NotFound,
  errorComponent: PageError,
})

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
  /** Absent in live mode. */
  mode?: 'test'
  /** The number that a test call is made to. */
  number?: string
}

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$project_id',
  component: ProjectShell,
  validateSearch: ({ mode, number }: Record<string, unknown>): ProjectSearch => ({
    ...(mode === 'test' && { mode }),
    ...(typeof number === 'string' && { number }),
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
  { path: '/projects', load: () => import('./areas/operator/projects-page.tsx') },
  { path: '/reviews', load: () => import('./areas/operator/reviews-page.tsx') },
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
