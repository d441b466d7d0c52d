/** Next steps name operations by their paths in the portal API. */
import { routesInText, type Phrasing } from '../../contract/problems/next-steps.ts'

const rename = (text: string) => text.replaceAll(routesInText, pathOf)

export const portalPhrasing: Phrasing = { entry_point: 'portal', rename, rephrase: rename }

function pathOf(route: string): string {
  const [method, path = ''] = route.split(' ')
  if (path.startsWith('/projects') || path === '/openapi.json') return route
  // Public operations belong to no project.
  if (path === '/status' || path.startsWith('/public/')) return `${method} /api/v1${path}`
  return `${method} /projects/{project_id}${path}`
}
